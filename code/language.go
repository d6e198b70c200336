package code

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/code/internal/grammars"
	"github.com/cantle/cantle/code/internal/syntax"
)

// A Language is what the package knows about a language, as data. The node
// types are those of its tree-sitter grammar.
type Language struct {
	Name       string   // "go": the format of its documents
	Aliases    []string // other tags that fences use: "golang"
	Extensions []string // ".go"
	Files      []string // whole file names: "Dockerfile"
	Shebangs   []string // interpreters: "bash"

	grammar string // see internal/grammars; "" for the language's name
	parts   bool   // a file of parts in other languages, without a grammar of its own

	scopes  []string // definitions whose members may be definitions
	defs    []string // definitions whose body is statements
	lambdas []string // function values: definitions where a bind or a wrap names them
	wraps   []string // what stands around a definition and belongs to it
	binds   []string // what names a value: a definition where the value is a lambda
	values  []string // what defines a name without being a definition
	opens   []string // containers whose children stand as if in their parent
	attrs   []string // what stands before a definition and belongs to it
	conds   []string // conditional compilation, with branches in the field "alternative"
	bodies  []string // node types of a definition's body, where it is not in a field "body"
	maybes  []string // node types for classify
	comment []string // comments whose node type does not end in "comment"
	names   []string // node types or fields of the child that is the name, where none is in a field that usually holds it

	imports   []string                            // node types of the statements that take names from elsewhere
	importsIn []string                            // node types that are entered for those in them, however small
	imported  func(statement string) []ast.Import // what one of them imports, given on one line

	docstring string                    // the statement that documents a definition from inside
	strays    bool                      // whether the grammar puts a comment into the definition above it
	classify  func(c cursor) role       // the role of a node whose type is in maybes
	name      func(c cursor) string     // of a definition or value; "" for what the fields say
	overload  func(c cursor) string     // the name of a function of which c is one signature of several, "" if it is none
	isDoc     func(comment string) bool // whether a comment belongs to the definition below a blank line
	mask      func(src []byte) []byte   // a copy of the same length that the grammar can read
}

// languages is the one list. The order decides nothing.
var languages = []*Language{
	bash, c, cpp, csharp, css, cue, dockerfile, elixir, elm, golang, groovy, hcl, java, javascript, jsonFormat,
	kotlin, lua, ocaml, php, protobuf, python, ruby, rust, scala, sql, svelte, swift, toml, tsx, typescript, vue, xml, yaml, zig,
}

// Languages returns the languages that the package knows, in order of name.
// The grammar of one may be left out of the binary, see the package comment.
func Languages() []*Language {
	list := slices.Clone(languages)
	slices.SortFunc(list, func(a, b *Language) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// index finds languages by the ways to name one.
type index struct{ name, extension, file, shebang map[string]*Language }

var byWays = sync.OnceValue(func() index {
	x := index{map[string]*Language{}, map[string]*Language{}, map[string]*Language{}, map[string]*Language{}}
	for _, l := range append([]*Language{markup}, languages...) {
		x.name[l.Name] = l
		for _, key := range l.Aliases {
			x.name[key] = l
		}
		for _, key := range l.Extensions {
			x.extension[key] = l
			if tag := key[1:]; x.name[tag] == nil {
				x.name[tag] = l
			}
		}
		for _, key := range l.Files {
			x.file[key] = l
		}
		for _, key := range l.Shebangs {
			x.shebang[key] = l
		}
	}
	return x
})

// lookup returns the language of a name or a fence's tag, nil if unknown.
func lookup(name string) *Language {
	name = strings.ToLower(name)
	for _, prefix := range [...]string{"language-", "lang-"} { // as classes in HTML have it
		name = strings.TrimPrefix(name, prefix)
	}
	return byWays().name[name]
}

// NameOf returns the name of the language that a fence's tag stands for: "bash"
// for "sh"; "" where it is not known.
func NameOf(tag string) string {
	if l := lookup(tag); l != nil {
		return l.Name
	}
	return ""
}

// Detect returns the name of the language of a file by its name, its
// extension or the shebang in the first bytes of its content; "" where none
// is known.
func Detect(name string, head []byte) string {
	x := byWays()
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if l := x.file[base]; l != nil {
		return l.Name
	}
	head = head[:min(len(head), 64<<10)]
	ext := strings.ToLower(path.Ext(base))
	switch l := x.extension[ext]; {
	case l != nil && ext != "" && bytes.HasPrefix(head, []byte("<?xml")):
		return xml.Name // .ts is also a translation
	case l == c && cppPattern.Match(head):
		return cpp.Name
	case l != nil:
		return l.Name
	}
	if l := x.shebang[interpreter(head)]; l != nil {
		return l.Name
	}
	return ""
}

// cppPattern finds what no header of C has.
var cppPattern = regexp.MustCompile(`(?m)^\s*(class|namespace|template|using)\b|^\s*(public|protected|private):|\bstd::|-\*- C\+\+ -\*-`)

// interpreter returns the program of a shebang line, without its folder and
// its version: "python" for "#!/usr/bin/env -S python3.11 -u".
func interpreter(head []byte) string {
	rest, ok := strings.CutPrefix(string(head[:min(len(head), 256)]), "#!")
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	words := strings.Fields(line)
	if len(words) > 1 && path.Base(words[0]) == "env" {
		words = words[1:]
		for len(words) > 1 && (words[0][0] == '-' || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return ""
	}
	return strings.TrimRight(path.Base(words[0]), "0123456789.")
}

// A role is what the builder does with a node.
type role uint8

const (
	none role = iota
	comment
	scope
	def
	lambda
	wrap
	bind
	value
	open
	attr
	cond
	body
	document
	maybe
)

// A compiled language is a grammar with the roles of its symbols.
type compiled struct {
	*Language
	syntax *syntax.Language
	prune  syntax.Prune
	roles  []role // by symbol
	fields fieldIDs

	isImport []bool // by symbol

	nameFields  []uint16 // fields that hold a name, the usual ones first
	nameSymbols []uint16 // symbols of what may be a name, see Language.names
}

// fieldIDs are the fields that the builder asks for; math.MaxUint16 where a
// grammar has none of the name.
type fieldIDs struct{ name, declarator, body, value, right, alternative, typ, trait, receiver uint16 }

const noField = 1<<16 - 1

var compiledByName sync.Map // of the language's name, to func() *compiled

// compile returns the language ready for use, nil where its grammar is not in
// the binary.
func (l *Language) compile() *compiled {
	once, ok := compiledByName.Load(l.Name)
	if !ok {
		once, _ = compiledByName.LoadOrStore(l.Name, sync.OnceValue(func() *compiled { return newCompiled(l) }))
	}
	return once.(func() *compiled)()
}

func newCompiled(l *Language) *compiled {
	name := l.grammar
	if name == "" {
		name = l.Name
	}
	grammar := grammars.Grammar(name)
	if grammar == nil {
		return nil
	}
	s, err := syntax.NewLanguage(grammar)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", l.Name, err)) // the binary is built wrong; every test sees it
	}
	c := &compiled{Language: l, syntax: s, roles: make([]role, len(s.Symbols)), isImport: make([]bool, len(s.Symbols))}
	types := map[string]role{}
	for _, set := range [...]struct {
		types []string
		role  role
	}{
		{l.scopes, scope}, {l.defs, def}, {l.lambdas, lambda}, {l.wraps, wrap}, {l.binds, bind},
		{l.values, value}, {l.opens, open}, {l.attrs, attr}, {l.conds, cond}, {l.bodies, body}, {l.maybes, maybe},
		{l.comment, comment},
	} {
		for _, t := range set.types {
			types[t] = set.role
		}
	}
	c.prune = syntax.Prune{Symbols: make([]byte, len(s.Symbols)), Fields: make([]byte, len(s.Fields)), MinSize: small, MaxDepth: 1000}
	for i, t := range s.Symbols {
		r := types[t]
		if r == none && strings.HasSuffix(strings.ToLower(t), "comment") {
			r = comment
		}
		c.roles[i] = r
		c.isImport[i] = slices.Contains(l.imports, t)
		if r != none && r != comment && r != attr && r != open && r != body {
			c.prune.Symbols[i] = 1
		}
		if slices.Contains(l.importsIn, t) {
			c.prune.Symbols[i] = 1
		}
		if slices.Contains(l.names, t) {
			c.prune.Symbols[i] = 1
			c.nameSymbols = append(c.nameSymbols, uint16(i))
		}
	}
	id := func(name string) uint16 {
		if i := slices.Index(s.Fields, name); i > 0 {
			return uint16(i)
		}
		return noField
	}
	c.fields = fieldIDs{body: id("body"), value: id("value"), right: id("right"), alternative: id("alternative"),
		typ: id("type"), trait: id("trait"), receiver: id("receiver"), declarator: id("declarator"), name: id("name")}
	for _, name := range slices.Concat([]string{"name", "declarator", "left", "key", "pattern"}, l.names) {
		if i := id(name); i != noField {
			c.nameFields = append(c.nameFields, i)
			c.prune.Fields[i] = 1
		}
	}
	if i := c.fields.alternative; i != noField && len(l.conds) > 0 {
		c.prune.Fields[i] = 1
	}
	if len(l.importsIn) > 0 {
		if i := id("consequence"); i != noField {
			c.prune.Fields[i] = 1
		}
	}
	for _, i := range []uint16{c.fields.typ, c.fields.body, c.fields.value, c.fields.right} {
		if i != noField {
			c.prune.Fields[i] = 1
		}
	}
	return c
}
