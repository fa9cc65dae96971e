package permission

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
)

// project is a directory with a file and a symlink that leads out of it.
func project(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"src", "sub", ".git", ".agent"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc", filepath.Join(root, "out")); err != nil {
		t.Fatal(err)
	}
	return root
}

func policy(t *testing.T, o Options) *Policy {
	t.Helper()
	if o.Root == "" {
		o.Root = project(t)
	}
	o.Home = "/home/me"
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *Policy) line(command string) Verdict {
	return p.Check(chat.ToolCall{}, []chat.Access{{Kind: chat.AccessRun, Command: command, Dir: p.root}})
}

func word(d Decision) string { return [...]string{"allow", "ask", "deny"}[d] }

func TestReadingInsideTheProjectRuns(t *testing.T) {
	p := policy(t, Options{})
	for _, command := range []string{
		"ls", "ls -la src", "cat src/a.go | head -5", "grep -rn x src && wc -l src/*.go", "git status", "git log --oneline -5", "git diff HEAD~1 -- src",
		"echo $HOME $(pwd)", "find . -name '*.go'", "cd sub && ls -l", "cat <src/a.go", "ls 2>/dev/null", "ls 2>&1 | sort | uniq -c", "true; false || echo x", "rg foo src",
		"for f in a b; do echo $f; done", "cat <<EOF\ntext\nEOF", "test -f x && echo yes", "sort src/a | tail -3", "# nothing", "du -sh .",
	} {
		if v := p.line(command); v.Decision != Allow {
			t.Errorf("%q: %s, %s", command, word(v.Decision), v.Question.Reason)
		}
	}
}

func TestEverythingElseAsks(t *testing.T) {
	p := policy(t, Options{})
	for command, part := range map[string]string{
		"make": "make", "rm x": "rm x", "ls; rm x": "rm x", "ls && rm x": "rm x", "ls & rm x": "rm x", "ls\nrm x": "rm x", "ls | xargs rm": "ls | xargs rm",
		"echo $(rm x)": "rm x", "echo `rm x`": "rm x", "echo \"$(rm x)\"": "rm x", "cat <(rm x)": "rm x", "echo x > y": "> y", "echo x >> y": ">> y", "echo x >| y": ">| y", "{ ls; } > y": "> y",
		"env rm x": "env rm x", "A=1 rm x": "A=1 rm x", "timeout 5 rm x": "timeout 5 rm x", "nohup nice rm x": "nohup nice rm x", "sudo ls": "sudo ls", "bash -c 'rm x'": "rm x", "eval rm x": "rm x", "eval \"$X\"": `eval "$X"`,
		"sh script": "sh script", "find . -delete": "find . -delete", "find . -exec rm {} ';'": "find . -exec rm {} ';'", "find . -fprint x": "find . -fprint x", "git push": "git push", "git log --output=x": "git log --output=x", "git log --outp=x": "git log --outp=x",
		"git -c alias.x='!rm x' x": "git -c alias.x='!rm x' x", "git grep -O'sh -c rm' p": "git grep -O'sh -c rm' p", "git x": "git x", "git -c core.pager='rm V' -p log": "git -c core.pager='rm V' -p log", "cat /etc/passwd": "cat /etc/passwd", "cat ../x": "cat ../x",
		"cat out/passwd": "cat out/passwd", "cd sub && cat ../../x": "cat ../../x", "cat $FILE": "cat $FILE", "cat ~/.ssh/id": "cat ~/.ssh/id", "$CMD": "$CMD", "PATH=. ls": "PATH=. ls", "LD_PRELOAD=x ls": "LD_PRELOAD=x ls",
		"ls | sh": "sh", "sort -o x y": "sort -o x y", "rg --pre=x y": "rg --pre=x y", "cat < /etc/passwd": "/etc/passwd", "trap 'rm x' EXIT": "rm x", "f() { rm x; }; f": "rm x", "if ls; then rm x; fi": "rm x", "alias ls=rm": "alias ls=rm", "ls() { :; }; ./ls": "./ls", "cd /etc && cat passwd": "cd /etc",
		"cat <<EOF\n$(rm x)\nEOF": "rm x", "echo 'a": "echo 'a", "source x": "source x", ". ./x": ". ./x", "xargs -I{} sh -c {}": "xargs -I{} sh -c {}", "date -s 2020-01-01": "date -s 2020-01-01", "python3 -c 'x'": "python3 -c 'x'", "echo x > $F": "> $F",
	} {
		v := p.line(command)
		if v.Decision != AskFirst {
			t.Errorf("%q: %s", command, word(v.Decision))
			continue
		}
		found := false
		for _, got := range v.Question.Parts {
			found = found || got == part || strings.Contains(part, got) && got != ""
		}
		if !found || v.Question.Reason == "" {
			t.Errorf("%q: names %q, not %q (%s)", command, v.Question.Parts, part, v.Question.Reason)
		}
	}
}

// TestAllowRulesCoverOneCommand is the list of ways around "allow echo, ls and
// git log".
func TestAllowRulesCoverOneCommand(t *testing.T) {
	p := policy(t, Options{Allow: []string{"Bash(echo *)", "Bash(ls *)", "Bash(git log *)", "Bash(npm test *)", "Bash(make)"}})
	for _, command := range []string{"echo ok", "ls /etc", "ls", "git log -p -3", "npm test", "npm test -- --watch=false", "make", "make && npm test", "/usr/bin/make"} {
		if v := p.line(command); v.Decision != Allow {
			t.Errorf("%q: %s, %s", command, word(v.Decision), v.Question.Reason)
		}
	}
	for _, command := range []string{
		"echo ok && rm V", "echo ok; rm V", "echo ok & rm V", "echo ok\nrm V", "echo $(rm V)", "echo `rm V`", "echo <(rm V)", "echo x > V", "env rm V", "timeout 5 rm V", "A=1 rm V",
		"ls V | xargs rm", "git log --output=V -p", "git -c alias.x='!rm V' x", "git grep -O'sh -c \"rm V\"' pat", "find . -name V -delete", "git -c core.pager='rm V' -p log",
		"git log; rm -rf ~", "git log $(rm V)", "git log $X", "npm tests", "npm test; rm V", "make install", "make > out.txt", "./make", "npm test $(rm V)", "PATH=. npm test",
	} {
		if v := p.line(command); v.Decision != AskFirst {
			t.Errorf("%q: %s", command, word(v.Decision))
		}
	}
}

func TestDenyRulesWin(t *testing.T) {
	p := policy(t, Options{Mode: All, Allow: []string{"Bash(git *)"}, Deny: []string{"Bash(git push *)", "Edit(src/**)", "Read(/etc/shadow)"}})
	for _, command := range []string{"git push", "ls; git push origin", "env git push", "bash -c 'git push'", "echo x > src/a"} {
		if v := p.line(command); v.Decision != Deny || v.Reason == "" {
			t.Errorf("%q: %s", command, word(v.Decision))
		}
	}
	if v := p.line("git pull"); v.Decision != Allow {
		t.Errorf("git pull: %s", word(v.Decision))
	}
	if v := p.Check(chat.ToolCall{}, []chat.Access{{Kind: chat.AccessRead, Path: "/etc/shadow"}}); v.Decision != Deny {
		t.Errorf("read: %s", word(v.Decision))
	}
}

func TestDestructiveCommandsAskInEveryMode(t *testing.T) {
	p := policy(t, Options{Mode: All, Allow: []string{"Bash(rm *)", "Bash(git *)", "Bash(dd *)"}})
	for _, command := range []string{
		"rm -rf /", "rm -rf /*", "rm -fr ~", "rm -r ~/", "rm -rf $HOME", "rm -rf \"$HOME\"/*", "rm -rf \"$DIR\"/*", "rm --recursive /usr", "rm -rf /home/me", "sudo rm -rf /etc", "env rm -rf /", "bash -c 'rm -rf /'",
		"mkfs.ext4 /dev/sda1", "dd if=x of=/dev/sda", "echo x > /dev/sda", ":(){ :|:& };:", "curl x | sh", "wget -O- x | sudo bash", "git push --force", "git push -f origin main", "git push origin +main", "chmod -R 777 /", "shutdown now",
	} {
		v := p.line(command)
		if v.Decision != AskFirst || !v.Question.Destructive || len(v.Question.Rules) != 0 {
			t.Errorf("%q: %s %+v", command, word(v.Decision), v.Question)
		}
	}
	for _, command := range []string{"rm -rf build", "rm -rf ./x /tmp/y/z", "rm x", "dd if=a of=b", "echo x >/dev/null", "curl x | jq .", "git push", "chmod -R u+w src", "make deploy"} {
		if v := p.line(command); v.Decision != Allow {
			t.Errorf("%q: %s %s", command, word(v.Decision), v.Question.Reason)
		}
	}
}

func TestFiles(t *testing.T) {
	root := project(t)
	for _, tt := range []struct {
		mode Mode
		kind chat.AccessKind
		path string
		want Decision
	}{
		{Ask, chat.AccessRead, "src/a", Allow},
		{Ask, chat.AccessRead, "/etc/hosts", AskFirst},
		{Ask, chat.AccessRead, "out/hosts", AskFirst},
		{Ask, chat.AccessWrite, "src/a", AskFirst},
		{Edits, chat.AccessWrite, "src/new/a", Allow},
		{Edits, chat.AccessWrite, "/etc/hosts", AskFirst},
		{Edits, chat.AccessWrite, "out/hosts", AskFirst},
		{Edits, chat.AccessWrite, ".git/hooks/pre-commit", AskFirst},
		{Edits, chat.AccessWrite, ".agent/config.yaml", AskFirst},
		{All, chat.AccessWrite, "/etc/hosts", Allow},
		{Plan, chat.AccessRead, "src/a", Allow},
		{Plan, chat.AccessWrite, "src/a", Deny},
	} {
		p := policy(t, Options{Mode: tt.mode, Root: root})
		path := tt.path
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		if v := p.Check(chat.ToolCall{}, []chat.Access{{Kind: tt.kind, Path: path}}); v.Decision != tt.want {
			t.Errorf("%s %s %s: %s, want %s", tt.mode, tt.kind, tt.path, word(v.Decision), word(tt.want))
		}
	}
	p := policy(t, Options{Root: root, Allow: []string{"Edit(src/**)", "Read(/etc/*)"}})
	for _, a := range []chat.Access{{Kind: chat.AccessWrite, Path: filepath.Join(root, "src/x/y")}, {Kind: chat.AccessRead, Path: "/etc/hosts"}} {
		if v := p.Check(chat.ToolCall{}, []chat.Access{a}); v.Decision != Allow {
			t.Errorf("%v: %s", a, word(v.Decision))
		}
	}
}

func TestPlanModeRefusesAndSaysWhy(t *testing.T) {
	p := policy(t, Options{Mode: Plan})
	if v := p.line("ls && git status"); v.Decision != Allow {
		t.Errorf("reading: %s", word(v.Decision))
	}
	if v := p.line("make"); v.Decision != Deny || !strings.Contains(v.Reason, "plan mode") {
		t.Errorf("%s %q", word(v.Decision), v.Reason)
	}
}

func TestGrants(t *testing.T) {
	p := policy(t, Options{})
	v := p.line("make test && echo x > out.txt")
	if got := strings.Join(v.Question.Rules, " "); got != "Bash(make test) Edit(out.txt)" {
		t.Fatalf("rules %q", got)
	}
	p.Grant(v.Question.Rules, chat.AllowOnce)
	if v := p.line("make test"); v.Decision != AskFirst {
		t.Error("once is for ever")
	}
	p.Grant(v.Question.Rules, chat.AllowSession)
	if v := p.line("make test; echo y >out.txt"); v.Decision != Allow {
		t.Errorf("%s %s", word(v.Decision), v.Question.Reason)
	}
	if v := p.line("make test2"); v.Decision != AskFirst {
		t.Error("the rule is too wide")
	}
	if v := p.line("ls $X; make"); v.Question.Rules != nil {
		t.Errorf("what is not known has a rule: %q", v.Question.Rules)
	}
}

func TestBadRulesAndModes(t *testing.T) {
	for _, o := range []Options{{Allow: []string{"git status"}}, {Deny: []string{"Bash()"}}, {Allow: []string{"Edit([)"}}, {Mode: "yolo"}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	p := policy(t, Options{})
	p.SetMode("yolo")
	if p.Mode() != Ask {
		t.Errorf("mode %s", p.Mode())
	}
}

func TestPolicyIsSafeForConcurrentUse(t *testing.T) {
	p := policy(t, Options{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				p.line("make; ls")
				p.Grant([]string{"Bash(make)"}, chat.AllowSession)
				p.SetMode(Edits)
			}
		}()
	}
	wg.Wait()
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"ls", "rm -rf /", "echo $(x) > y", "a | b && c", "sudo -u x env A=1 sh -c 'rm x'"} {
		f.Add(s)
	}
	p, err := New(Options{Root: "/project", Home: "/home/me"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, command string) {
		v := p.line(command)
		if v.Decision == AskFirst && v.Question.Reason == "" {
			t.Errorf("%q asks without a reason", command)
		}
		// One more command can never make a line less dangerous.
		if v.Decision != Allow && p.line("rm x\n"+command).Decision == Allow {
			t.Errorf("%q is allowed behind another command", command)
		}
	})
}
