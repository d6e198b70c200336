package cantle

import "github.com/cantle/cantle/chunker"

// separators returns the regular expressions at which the strategy recursive
// cuts a format where none are given; nil is for prose. Each list goes from
// what parts most to what parts least. The group named next is where a cut
// stands: what is before it stays with the text before.
//
// They see text only, as all of that strategy does: a heading in a fence is a
// heading to them. Who wants to be right about that has the tree.
func separators(format string) []string {
	switch format {
	case "markdown", "html", "notebook": // headings of HTML are shown as those of Markdown
		return append(headings[:len(headings):len(headings)], chunker.ProseSeparators...)
	case "csv", "tsv", "xlsx":
		return []string{`\n`, `[,;\t|]`, ` `, ``}
	}
	if s, ok := structured[format]; ok {
		return append(s[:len(s):len(s)], lines...)
	}
	d, ok := definitions[format]
	if !ok {
		return nil
	}
	// Comments and attributes right before a definition go with it.
	before := `(?:[ \t]*(?:` + d.before + `)[^\n]*\n)*`
	return append([]string{
		`\n[ \t]*\n(?<next>\S)`, // a blank line, then something at the outermost level
		`\n(?<next>` + before + `(?:` + d.start + `)\b)`,
		`\n[ \t]*\n(?<next>(?:\t| {1,4})\S)`, // the same one level deeper
		`\n(?<next>` + before + `[ \t]+(?:` + d.start + `)\b)`,
	}, lines...)
}

// lines are the separators of what is made of lines, after its own.
var lines = []string{`\n[ \t]*\n`, `\n`, ` `, ``}

// headings are the separators of Markdown before those of prose: headings by
// rank, rules, and where a fence begins.
var headings = []string{
	`\n(?<next># )`, `\n(?<next>## )`, `\n(?<next>### )`, `\n(?<next>#{4,6} )`,
	`\n(?<next>[*_-]{3,}[ \t]*\n)`,
	"\n(?<next>[ \t]*(?:```|~~~)[^\n`]+\n)",
}

// structured are the separators of formats that are no lists of definitions,
// before lines.
var structured = map[string][]string{
	"css":        {`\}[ \t]*\n(?<next>@)`, `\}[ \t]*\n(?<next>\S)`, `\}`, `;`},
	"dockerfile": {`\n(?<next>(?i:FROM) )`, `\n[ \t]*\n`, `\n(?<next>[A-Za-z]+ )`},
	"json":       {`,[ \t]*\n(?<next>(?:\t| {1,4})\S)`, `[}\]],`, `,[ \t]*\n`, `,`},
	"sql":        {`;[ \t]*\n[ \t]*\n`, `;[ \t]*\n`, `\n(?<next>(?i:SELECT|FROM|WHERE|GROUP|ORDER|UNION|VALUES|SET|WITH)\b)`},
	"svelte":     {`\n(?<next><(?:script|style|template)\b)`, `\n[ \t]*\n(?<next>\S)`},
	"toml":       {`\n(?<next>(?:#[^\n]*\n)*\[[^\n]+\][ \t]*\n)`, `\n(?<next>[\w."-]+[ \t]*=)`},
	"vue":        {`\n(?<next><(?:script|style|template)\b)`, `\n[ \t]*\n(?<next>\S)`},
	"xml":        {`\n(?<next>(?:\t| {1,4})<\w)`, `\n(?<next>[ \t]*<\w)`, `>`},
	"yaml":       {`\n(?<next>---)`, `\n(?<next>(?:#[^\n]*\n)*[^\s#-][^\n]*:)`, `\n(?<next>(?: {2}| {4})[^\s#-][^\n]*:|- )`, `\n(?<next>[ \t]*- )`},
}

// A definition says how a language's definitions are found in its text.
type definition struct {
	before string // what begins a line that goes with the definition below it
	start  string // what begins the line of a definition
}

const (
	slashes   = `//|/\*|\*`
	annotated = slashes + `|@`
)

// definitions are the programming languages.
var definitions = map[string]definition{
	"bash":       {`#`, `function\b[^\n]*|[\w:.-]+[ \t]*\(\)[ \t]*\{?\w?`},
	"c":          {slashes, `(?:static|extern|inline|const|typedef|struct|union|enum|void|int|char|long|unsigned|size_t)\b[^\n;]*\{?[^\n]`},
	"cpp":        {slashes + `|template`, `(?:namespace|class|struct|union|enum|template|typedef|using|static|inline|constexpr|virtual|explicit|void|bool|int|auto|public|protected|private)`},
	"csharp":     {slashes + `|\[`, `(?:(?:public|protected|private|internal|static|sealed|abstract|partial|async|override|virtual|readonly) )+|(?:namespace|class|struct|interface|enum|record|delegate)`},
	"cue":        {`//`, `#?\w+:`},
	"elixir":     {`#|@`, `defmodule|defprotocol|defimpl|defmacrop?|defp?|describe|test`},
	"elm":        {`--`, `type|port|\w+ :`},
	"go":         {`//`, `func|type|var|const`},
	"groovy":     {annotated, `(?:(?:public|protected|private|static|final|abstract) )*(?:class|interface|enum|trait|def|void)|task|\w+ \{`},
	"hcl":        {`#|//`, `resource|data|variable|output|module|provider|locals|terraform|\w+ (?:"[^"\n]*" )*\{\w?`},
	"java":       {annotated, `(?:(?:public|protected|private|static|final|abstract|sealed|default|synchronized|native) )+|(?:class|interface|enum|record)`},
	"javascript": {annotated, `(?:export |default |async |abstract |declare )*(?:function|class|interface|enum|namespace|type)|export|describe|it|test`},
	"kotlin":     {annotated, `(?:(?:public|protected|private|internal|open|abstract|sealed|data|inline|override|suspend|companion|enum) )*(?:class|interface|object|fun|typealias)`},
	"lua":        {`--`, `(?:local )?function|local \w+ = function|return`},
	"ocaml":      {`\(\*`, `let|and|type|module|open|exception|class|val|external`},
	"php":        {annotated + `|#\[`, `(?:(?:public|protected|private|static|final|abstract|readonly) )*(?:function|class|interface|trait|enum|namespace)`},
	"protobuf":   {slashes, `message|service|enum|rpc|oneof|extend`},
	"python":     {`#|@`, `(?:async )?def|class|if __name__`},
	"ruby":       {`#`, `module|class|def|private|protected|describe|context|it`},
	"rust":       {slashes + `|#!?\[`, `(?:pub(?:\([^)\n]*\))? )?(?:const |async |unsafe |extern "[^"\n]*" )*(?:fn|struct|enum|union|trait|impl|mod|type|static)|macro_rules!|const`},
	"scala":      {annotated, `(?:(?:private|protected|override|final|sealed|abstract|implicit|case|lazy) )*(?:class|object|trait|def|given|extension|enum)`},
	"swift":      {annotated, `(?:(?:public|private|fileprivate|internal|open|static|final|override|mutating) )*(?:class|struct|enum|protocol|extension|func|init|actor)`},
	"zig":        {`//`, `(?:pub )?(?:fn|const|var)|test|comptime`},
}

func init() {
	definitions["typescript"] = definitions["javascript"]
	definitions["tsx"] = definitions["javascript"]
}
