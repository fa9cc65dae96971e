package cmdline

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// show writes commands as "[name arg…]", unknown words in <>, redirections and
// pipes behind them.
func show(cs []Command) string {
	out := make([]string, 0, len(cs))
	for _, c := range cs {
		var b strings.Builder
		if c.ReadsPipe {
			b.WriteString("|")
		}
		b.WriteString("[")
		for i, w := range c.Words {
			if i > 0 {
				b.WriteString(" ")
			}
			if w.Literal {
				b.WriteString(w.Text)
			} else {
				b.WriteString("<" + w.Text + ">")
			}
		}
		b.WriteString("]")
		for _, a := range c.Assigns {
			b.WriteString(" " + a.Name + "=" + a.Value.Text)
		}
		for _, r := range c.Redirects {
			b.WriteString(" " + r.FD + r.Op + r.Target.Text)
		}
		out = append(out, b.String())
	}
	return strings.Join(out, " ")
}

func TestEveryCommandIsFound(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"ls -la", "[ls -la]"},
		{"", ""},
		{"# only a comment", ""},
		{"a && b || c; d & e", "[a] [b] [c] [d] [e]"},
		{"a\nb", "[a] [b]"},
		{"a | b |& c", "[a] |[b] |[c]"},
		{"a | while read l; do b; done", "[a] |[read l] |[b]"},
		{"echo $(rm v) `rm w`", "[echo <$(rm v)> <`rm w`>] [rm v] [rm w]"},
		{`echo "x $(rm v)"`, `[echo <"x $(rm v)">] [rm v]`},
		{"echo <(rm v)", "[echo <<(rm v)>] [rm v]"},
		{"echo x > v 2>&1", "[echo x] >v 2>&1"},
		{"{ a; b; } >v", "[] >v [a] [b]"},
		{">v", "[] >v"},
		{"A=1 rm v", "[rm v] A=1"},
		{"A=$(rm v)", "[] A=$(rm v) [rm v]"},
		{"export A=1 B=$(rm v)", "[export A=1 <B=$(rm v)>] [rm v]"},
		{"f() { rm v; }; f", "[rm v] [f]"},
		{"if a; then b; elif c; then d; else e; fi", "[a] [b] [c] [d] [e]"},
		{"for i in $(a); do b; done", "[a] [b]"},
		{"case $(a) in x) b;; esac", "[a] [b]"},
		{"(a; (b))", "[a] [b]"},
		{"cat <<EOF\n$(rm v)\nEOF", "[cat] <<EOF [rm v]"},
		{"cat <<'EOF'\n$(rm v)\nEOF", "[cat] <<EOF"},
		{"time a", "[a]"},
		{"! a", "[a]"},
		{"coproc a", "[a]"},
		{"echo $((1 + $(rm v)))", "[echo <$((1 + $(rm v)))>] [rm v]"},
		{"[[ $(a) ]]", "[a]"},
		{"${x:-$(rm v)}", "[<${x:-$(rm v)}>] [rm v]"},
		{`r\m 'a b'"c"d\ e`, "[rm a bcd e]"},
		{"ls *.go {a,b} ~ $HOME", "[ls <*.go> <{a,b}> ~ <$HOME>]"},
		{`ls \*.go '*' {a} $'x'`, "[ls *.go * {a} x]"},
		{`echo $'\x72m'`, `[echo <$'\x72m'>]`},
	} {
		line, err := Parse(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if got := show(line.Commands()); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestPositionsAreThoseOfTheLine(t *testing.T) {
	src := "echo héllo; rm -rf v & ls >x"
	line, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	commands := line.Commands()
	got := make([]string, 0, len(commands))
	for _, c := range commands {
		if src[c.Pos:c.End] != c.Text {
			t.Errorf("%q is not at %d–%d", c.Text, c.Pos, c.End)
		}
		got = append(got, c.Text)
	}
	if s := fmt.Sprintf("%q", got); s != `["echo héllo" "rm -rf v" "ls >x"]` {
		t.Error(s)
	}
}

func TestWhatDoesNotParseIsAnError(t *testing.T) {
	for _, in := range []string{"echo 'a", "if a", "a | ", "(", "a\x00b", "cat <<EOF\nx"} {
		if _, err := Parse(in); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestTrailingLimit(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"ls | head -5", "head 5 <ls>"},
		{"ls | head -n 5", "head 5 <ls>"},
		{"ls | head -n5", "head 5 <ls>"},
		{"ls -la  |  tail -n 20 ", "tail 20 <ls -la>"},
		{"ls | tail -0", "tail 0 <ls>"},
		{"a | head -5 | tail -2", "tail 2 <a | head -5>"},
		{"ls | head -5;", "head 5 <ls>"},
		{"make 2>&1 | tail -3", "tail 3 <make 2>&1>"},
		{`grep "a | head -3" f | head -2`, `head 2 <grep "a | head -3" f>`},
		{"(a; b) | head -4", "head 4 <(a; b)>"},
		{"ls | head", ""},
		{"ls | head -c 10", ""},
		{"ls | head -n -5", ""},
		{"ls | head -n nine", ""},
		{"ls | head -nn5", ""},
		{"ls | tail -n +5", ""},
		{"ls | tail +5", ""},
		{"ls | tail -f", ""},
		{"ls | head -5 file", ""},
		{"ls | head -n 5 file", ""},
		{"ls | head -5 >f", ""},
		{"ls |& tail -5", ""},
		{"false || head -5", ""},
		{"make; ls | head -5", ""},
		{"make && ls | head -5", ""},
		{"! ls | head -5", ""},
		{"ls | head -5 &", ""},
		{"ls | head -$N", ""},
		{"ls | A=1 head -5", ""},
		{"echo 'x | head -5'", ""},
		{"(ls | head -5)", ""},
		{"x=$(ls | head -5)", ""},
		{"cat <<EOF | head -5\nx\nEOF", ""},
		{"head -5", ""},
		{"ls | head -99999999999999999999", ""},
	} {
		line, err := Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if limit, rest, ok := line.TrailingLimit(); ok {
			got = fmt.Sprintf("%s %d <%s>", limit.Kind, limit.N, rest)
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestLeadingCd(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"cd sub && make", "sub <make>"},
		{"cd sub && a && b || c", "sub <a && b || c>"},
		{"cd 'a b' &&\n  make\nls", "a b <make\nls>"},
		{"cd ~/x && ls", "~/x ~ <ls>"},
		{"cd '~/x' && ls", "~/x <ls>"},
		{"cd / && cat <<EOF\n  x\nEOF", "/ <cat <<EOF\n  x\nEOF>"},
		{"cd sub; make", ""},
		{"cd sub", ""},
		{"cd $d && make", ""},
		{"cd - && make", ""},
		{"cd -P x && make", ""},
		{"cd && make", ""},
		{"cd ~bob && make", ""},
		{"cd sub || make", ""},
		{"cd sub && make &", ""},
		{"A=1 cd sub && make", ""},
		{"cd sub >x && make", ""},
		{"make && cd sub", ""},
	} {
		line, err := Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if dir, rest, ok := line.LeadingCd(); ok {
			got = dir.Text
			if dir.Tilde {
				got += " ~"
			}
			got += " <" + rest + ">"
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestInnerCommandsAreFound(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"ls", ""},
		{"env A=1 -u B rm v", "[rm v]"},
		{"env -i rm v", "[rm v]"},
		{"env -S 'rm v'", "?"},
		{"env", ""},
		{"sudo -u root -E rm v", "[rm v]"},
		{"sudo A=1 rm v", "[rm v]"},
		{"command rm v", "[rm v]"},
		{"command -v rm", ""},
		{"timeout -k 3 5 rm v", "[rm v]"},
		{"nice -n 10 rm v", "[rm v]"},
		{"nice -10 rm v", "[rm v]"},
		{"nohup rm v", "[rm v]"},
		{"xargs -n 1 rm -f", "[rm -f]"},
		{"xargs -0 -I{} rm {}", "[rm {}]"},
		{"xargs", ""},
		{"/usr/bin/env rm v", "[rm v]"},
		{"bash -c 'rm v; ls'", "[rm v] [ls]"},
		{"sh -ec 'rm v'", "[rm v]"},
		{"bash -o pipefail -c 'rm v'", "[rm v]"},
		{`sh -c "rm $v"`, "?"},
		{"sh script.sh", "?"},
		{"sh", "?"},
		{"bash --version", ""},
		{"eval rm v", "[rm v]"},
		{"eval $x", "?"},
		{"trap 'rm v' EXIT", "[rm v]"},
		{"find . -name x -exec rm {} ';'", "[rm {}]"},
		{"find . -exec a {} + -ok b ';'", "[a {}] [b]"},
		{"find . -exec", "?"},
		{"find . -name x", ""},
		{"$cmd x", "?"},
		{"env -- rm v", "[rm v]"},
		{"timeout $t rm v", "?"},
	} {
		line, err := Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		inner, known := line.Commands()[0].Inner()
		got := show(inner)
		if !known {
			got = "?"
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSingle(t *testing.T) {
	for in, want := range map[string]bool{
		"ls -l": true, "A=1 ls": true, "ls >x": true, "export A=1": true,
		"ls; ls": false, "ls &": false, "! ls": false, "ls | cat": false, "(ls)": false, "echo $(ls)": false, "": false, "time ls": false,
	} {
		line, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := line.Single(); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// TestKnownWordsAreWhatBashMakesOfThem asks the real shell.
func TestKnownWordsAreWhatBashMakesOfThem(t *testing.T) {
	for _, word := range []string{
		`a`, `'a b'`, `"a b"`, `a\ b`, `"a\"b"`, `"a\nb"`, `'a\nb'`, `\a`, `"\$x"`, `"\` + "`" + `"`, `a"b"'c'\d`, `""`, `''`,
		`$'plain'`, "a\\\nb", "\"a\\\nb\"", `{a}`, `a=b`, `"*"`, `\*`, `\?x`, `"[a]"`, `a#b`, `%d`, `é`, `"~"`, `\~`,
	} {
		line, err := Parse("printf '%s' " + word)
		if err != nil {
			t.Fatal(err)
		}
		w := line.Commands()[0].Words[2]
		if !w.Literal {
			t.Errorf("%s is not known", word)
			continue
		}
		out, err := exec.Command("bash", "-c", "printf '%s' "+word).Output()
		if err != nil || string(out) != w.Text {
			t.Errorf("%s: %q, bash says %q (%v)", word, w.Text, out, err)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"ls | head -5", "cd a && b", "a $(b <<E\nx\nE\n)", "find . -exec a ';'", `sh -c "b"`, "env -", "a=() b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		line, err := Parse(src)
		if err != nil {
			return
		}
		for _, c := range line.Commands() {
			if c.Pos < 0 || c.End > len(src) || c.Pos > c.End {
				t.Fatalf("%q: %d–%d", src, c.Pos, c.End)
			}
			_, _ = c.Inner()
		}
		if _, rest, ok := line.TrailingLimit(); ok && !strings.HasPrefix(strings.TrimLeft(src, " \t\n\r"), rest) && !strings.Contains(src, "#") {
			t.Errorf("%q became %q", src, rest)
		}
		if _, rest, ok := line.LeadingCd(); ok && !strings.HasSuffix(src, rest) {
			t.Errorf("%q became %q", src, rest)
		}
	})
}
