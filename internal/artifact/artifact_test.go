package artifact

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestFilesAreMadeWhenTheyAreNeeded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "artifacts")
	s := Open(dir, Options{})
	if list, err := s.List(); len(list) != 0 || err != nil {
		t.Fatalf("%v %v", list, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory was made for nothing")
	}
	f, err := s.Create("bash")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("raw\x00\xff\n")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := s.Lookup(1)
	if err != nil || info.Kind != "bash" || info.Size != 6 || filepath.Base(info.Path) != "1.bash.log" {
		t.Errorf("%+v %v", info, err)
	}
	if data, _ := os.ReadFile(info.Path); string(data) != "raw\x00\xff\n" {
		t.Errorf("%q", data)
	}
}

func TestNumbersAreGivenOnce(t *testing.T) {
	dir := t.TempDir()
	const each = 20
	ids := make(chan int, 4*each)
	var wg sync.WaitGroup
	for i := range 4 {
		s := Open(dir, Options{}) // as another process would
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range each {
				f, err := s.Create([]string{"bash", "web"}[i%2])
				if err != nil {
					t.Error(err)
					return
				}
				ids <- f.ID()
				_ = f.Close()
			}
		}()
	}
	wg.Wait()
	close(ids)
	seen := map[int]bool{}
	for id := range ids {
		if seen[id] {
			t.Errorf("%d was given twice", id)
		}
		seen[id] = true
	}
	if len(seen) != 4*each {
		t.Errorf("%d numbers", len(seen))
	}
}

func TestBudgets(t *testing.T) {
	s := Open(t.TempDir(), Options{MaxBytes: 5, MaxTotal: 8})
	write := func(text string) (int64, error) {
		f, err := s.Create("bash")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		_, err = f.Write([]byte(text))
		if again, err2 := f.Write([]byte("more")); err != nil && (again != 0 || !errors.Is(err2, err)) {
			t.Errorf("after the error: %d %v", again, err2)
		}
		info, _ := os.Stat(f.Path())
		return info.Size(), err
	}
	if n, err := write("0123456"); n != 5 || !errors.Is(err, ErrFull) {
		t.Errorf("%d %v", n, err)
	}
	if n, err := write("01234"); n != 3 || !errors.Is(err, ErrTotalFull) {
		t.Errorf("%d %v", n, err)
	}
}

func TestNowhereAndUnknown(t *testing.T) {
	if _, err := Open("", Options{}).Create("bash"); !errors.Is(err, ErrNowhere) {
		t.Error(err)
	}
	s := Open(t.TempDir(), Options{})
	if _, err := s.Lookup(7); err == nil || !strings.Contains(err.Error(), "no artifacts") {
		t.Error(err)
	}
	for range 2 {
		f, err := s.Create("bash")
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	if _, err := s.Lookup(7); err == nil || err.Error() != "there is no artifact://7; available: artifact://1, artifact://2" {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, Options{}).Create("bash"); err == nil {
		t.Error("a file is no directory")
	}
}

func TestRefs(t *testing.T) {
	for in, want := range map[string]int{"artifact://3": 3, "artifact://12/": 12, "artifact://0": 0, "artifact://x": 0, "3": 0, "artifact://-1": 0} {
		if id, ok := ParseRef(in); ok != (want > 0) || ok && id != want {
			t.Errorf("%q: %d %v", in, id, ok)
		}
	}
}

func pagesOf(t *testing.T, text string) *Pages {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPages(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func TestAnyPageOfAnyFile(t *testing.T) {
	var b strings.Builder
	for i := 1; i <= 30000; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	long := strings.Repeat("x", 3*blockSize)
	for _, text := range []string{"", "one", "one\n", "a\nb\n\nc", "\n\n", b.String(), b.String() + "no end", long + "\nafter", strings.Repeat("y", blockSize-1) + "\nz\n"} {
		p := pagesOf(t, text)
		want := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if text == "" {
			want = nil
		}
		if n, err := p.Count(t.Context()); n != int64(len(want)) || err != nil {
			t.Errorf("%.20q: %d lines, want %d (%v)", text, n, len(want), err)
		}
		for _, first := range []int{1, 2, len(want) - 1, len(want), len(want) + 1, len(want)/2 + 1, 9363, 9364} {
			if first < 1 {
				continue
			}
			got, err := p.Lines(t.Context(), int64(first), 3)
			expect := want[min(first-1, len(want)):min(first+2, len(want))]
			if len(got) != len(expect) || err != nil {
				t.Errorf("%.20q from %d: %d lines, want %d (%v)", text, first, len(got), len(expect), err)
				continue
			}
			for i := range got {
				if got[i] != expect[i] && len(expect[i]) <= maxPageLine {
					t.Errorf("%.20q line %d: %.40q, want %.40q", text, first+i, got[i], expect[i])
				}
				if len(expect[i]) > maxPageLine && !strings.HasSuffix(got[i], "bytes omitted]") {
					t.Errorf("a long line of %d bytes is not marked", len(got[i]))
				}
			}
		}
	}
}

func TestAFileThatGrows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	p, err := OpenPages(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	for i := 1; i <= 20; i++ {
		if _, err := fmt.Fprintf(f, "%d%s\n", i, strings.Repeat(".", 10000)); err != nil {
			t.Fatal(err)
		}
		if n, _ := p.Count(t.Context()); n != int64(i) {
			t.Fatalf("%d lines, want %d", n, i)
		}
	}
	if l, _ := p.Lines(t.Context(), 20, 5); len(l) != 1 || !strings.HasPrefix(l[0], "20.") {
		t.Errorf("%.20q", l)
	}
}

func TestSearch(t *testing.T) {
	p := pagesOf(t, "Alpha\nbeta\ngamma\nBETA\nend")
	for _, tt := range []struct {
		needle  string
		from    int64
		forward bool
		want    int64
	}{
		{"beta", 1, true, 2},
		{"beta", 3, true, 4},
		{"beta", 5, true, 0},
		{"BETA", 1, true, 4},
		{"beta", 4, false, 2},
		{"beta", 9, false, 4},
		{"alpha", 1, false, 0},
		{"nothing", 1, true, 0},
		{"", 1, true, 0},
		{"end", 1, true, 5},
	} {
		got, ok, err := p.Search(t.Context(), tt.needle, tt.from, tt.forward)
		if err != nil || ok != (tt.want > 0) || got != tt.want {
			t.Errorf("%q from %d: %d %v %v, want %d", tt.needle, tt.from, got, ok, err, tt.want)
		}
	}
}

func TestReadingCanBeCancelled(t *testing.T) {
	p := pagesOf(t, strings.Repeat("x\n", blockSize))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Count(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSearchFindsWhatAScanFinds compares with a look at every line, for files
// of several blocks and what stands on their borders.
func TestSearchFindsWhatAScanFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // a test
	for range 12 {
		var b strings.Builder
		for b.Len() < 2_300_000 {
			b.WriteString(strings.Repeat("x", rng.IntN(40_000)))
			b.WriteString([]string{"needle", "Needle", "\n", "\n\n", "nee", "dle"}[rng.IntN(6)])
		}
		text := b.String()
		p := pagesOf(t, text)
		lines := strings.Split(text, "\n")
		for range 40 {
			from, forward := 1+rng.Int64N(int64(len(lines)+2)), rng.IntN(2) == 0
			needle := []string{"needle", "Needle", "needleneedle", "absent"}[rng.IntN(4)]
			want := int64(0)
			for i, l := range lines {
				n := int64(i + 1)
				if needle == strings.ToLower(needle) {
					l = strings.ToLower(l)
				}
				if strings.Contains(l, needle) && (forward && n >= from && want == 0 || !forward && n < from) {
					want = n
				}
			}
			got, ok, err := p.Search(t.Context(), needle, from, forward)
			if err != nil || got != want || ok != (want > 0) {
				t.Fatalf("%q from %d of %d, forward %v: %d %v %v, want %d", needle, from, len(lines), forward, got, ok, err, want)
			}
		}
	}
}
