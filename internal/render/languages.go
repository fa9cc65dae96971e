package render

import (
	"strings"
	"sync"
)

// language is what highlight knows of a language.
type language struct {
	names        string // that a fence may give it
	lineComments []string
	blocks       []delimited // comments and strings of several lines
	quotes       string      // that begin a string on one line
	raw          string      // those of them without escapes
	keywords     map[string]bool
	types        map[string]bool
	constants    map[string]bool
	calls        bool // a word before "(" is a function
	keys         bool // a word before ":" is a key
	markup       bool // tags
	dollar       bool // $name
	anyCase      bool // words in capitals are the same
	diff         bool
}

type delimited struct {
	open, close string
	text        bool // a string, not a comment
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// languageOf finds a language by the name behind a fence.
func languageOf(name string) (*language, bool) {
	l, ok := languageTable()[strings.ToLower(strings.TrimSpace(name))]
	return l, ok
}

// languageTable is made when the first code is drawn.
var languageTable = sync.OnceValue(func() map[string]*language { //nolint:gochecknoglobals // made once, never written
	table := map[string]*language{}
	for _, l := range languages() {
		for _, n := range strings.Fields(l.names) {
			table[n] = l
		}
	}
	return table
})

func languages() []*language {
	c := delimited{"/*", "*/", false}
	slashes := []string{"//"}
	hash := []string{"#"}
	values := wordSet("true false null nil None True False undefined NaN iota this self super nullptr")
	return []*language{
		{
			names: "go golang", lineComments: slashes, blocks: []delimited{c, {"`", "`", true}}, quotes: `"'`, calls: true, constants: values,
			keywords: wordSet("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var"),
			types:    wordSet("any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr append cap clear close copy delete len make max min new panic print println recover"),
		},
		{
			names: "python py python3", lineComments: hash, blocks: []delimited{{`"""`, `"""`, true}, {"'''", "'''", true}}, quotes: `"'`, calls: true, constants: values,
			keywords: wordSet("and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield case"),
			types:    wordSet("int str float bool list dict set tuple bytes object type len print range open super isinstance enumerate zip map filter sorted"),
		},
		{
			names: "javascript js jsx typescript ts tsx node mjs", lineComments: slashes, blocks: []delimited{c, {"`", "`", true}}, quotes: `"'`, calls: true, constants: values,
			keywords: wordSet("abstract as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in instanceof interface keyof let namespace new of private protected public readonly return satisfies set static switch throw try type typeof var void while with yield"),
			types:    wordSet("any boolean never number object string symbol unknown Array Promise Map Set Record Partial Date Error JSON Math console"),
		},
		{
			names: "rust rs", lineComments: slashes, blocks: []delimited{c}, quotes: `"`, calls: true, constants: values,
			keywords: wordSet("as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return static struct trait type unsafe use where while"),
			types:    wordSet("bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Option Result Box Rc Arc Some None Ok Err Self"),
		},
		{
			names: "c h cpp c++ cc hpp cxx objc", lineComments: slashes, blocks: []delimited{c}, quotes: `"'`, calls: true, constants: values,
			keywords: wordSet("alignas auto break case catch class const constexpr continue default delete do else enum explicit extern final for friend goto if inline mutable namespace new noexcept operator override private protected public register return sizeof static struct switch template throw try typedef typename union using virtual volatile while include define ifdef ifndef endif pragma"),
			types:    wordSet("bool char double float int long short signed size_t ssize_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t unsigned void string vector map"),
		},
		{
			names: "java kotlin kt scala csharp cs c# swift dart php groovy", lineComments: slashes, blocks: []delimited{c, {`"""`, `"""`, true}}, quotes: `"'`, calls: true, constants: values, dollar: true,
			keywords: wordSet("abstract as async await break by case catch class companion const continue data def default defer do else enum extends extension fallthrough final finally for foreach fun func function get guard if implements import in init inline instanceof interface internal is let match namespace new object open operator override package private protected protocol public readonly record repeat return sealed set static struct suspend switch synchronized throw throws trait try typealias use using val var void when where while with yield"),
			types:    wordSet("bool boolean byte char double float int long short string String Int Long Double Float Boolean Any Unit List Map Set Object Optional"),
		},
		{
			names: "bash sh shell zsh console shell-session fish ksh", lineComments: hash, quotes: `"'`, raw: `'`, dollar: true,
			keywords: wordSet("if then else elif fi for while until do done case esac in function return exit break continue local export readonly declare set unset shift source trap eval exec select time"),
			types:    wordSet("echo printf cd test read cat grep sed awk find ls rm cp mv mkdir touch git make go npm docker curl sudo kill xargs sort head tail"),
		},
		{names: "json jsonc json5", lineComments: slashes, blocks: []delimited{c}, quotes: `"`, constants: values},
		{names: "yaml yml", lineComments: hash, quotes: `"'`, raw: `'`, keys: true, constants: values},
		{names: "toml ini cfg conf properties env dotenv editorconfig", lineComments: []string{"#", ";"}, quotes: `"'`, constants: values},
		{
			names: "sql mysql postgres postgresql sqlite plsql", lineComments: []string{"--"}, blocks: []delimited{c}, quotes: `"'`, anyCase: true, calls: true, constants: values,
			keywords: wordSet("add all alter and as asc begin between by cascade case check column commit constraint create cross database default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references replace returning right rollback select set table then transaction trigger truncate union unique update using values view when where with"),
			types:    wordSet("bigint blob bool boolean char date decimal float int integer json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar"),
		},
		{names: "html xml svg xhtml vue svelte", blocks: []delimited{{"<!--", "-->", false}}, quotes: `"'`, markup: true},
		{names: "css scss less sass", lineComments: slashes, blocks: []delimited{c}, quotes: `"'`, keys: true, dollar: true},
		{
			names: "ruby rb elixir ex crystal lua perl pl r julia jl", lineComments: []string{"#", "--"}, quotes: `"'`, calls: true, constants: values, dollar: true,
			keywords: wordSet("alias and begin break case class def defmodule defp do else elseif elsif end ensure fn for foreach function if in include local loop module my next not or our package raise repeat require rescue retry return self sub then unless until use when while yield"),
		},
		{
			names: "make makefile mk dockerfile docker cmake nix hcl terraform tf", lineComments: hash, quotes: `"'`, dollar: true,
			keywords: wordSet("include ifeq ifneq ifdef ifndef else endif define endef export FROM RUN COPY ADD CMD ENTRYPOINT ENV ARG EXPOSE WORKDIR USER VOLUME LABEL AS resource variable output module provider data locals let in with rec inherit"),
		},
		{names: "diff patch", diff: true},
	}
}
