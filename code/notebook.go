package code

import (
	"encoding/json"
	"strings"

	"github.com/cantle/cantle/ast"
)

// NotebookOptions are how to read a notebook.
type NotebookOptions struct {
	Outputs  bool                                        // take the printed results of code cells too, not their images
	Markdown func(name string, src []byte) *ast.Document // parses Markdown; nil for cutting at blank lines
}

// ParseNotebook parses a Jupyter notebook. Its bytes are not what a reader
// sees, so the document's Source is the text that they stand for, as
// Markdown: the Markdown cells, and each code cell as a fence, with what it
// defines below it. The cells are its Pages. Meta says "derived". What is no
// notebook is parsed as JSON.
func ParseNotebook(name string, src []byte, opts NotebookOptions) *ast.Document {
	var book notebook
	if err := json.Unmarshal(src, &book); err != nil || book.Cells == nil && book.Worksheets == nil {
		return Parse(name, "json", src, Options{})
	}
	text, cells := book.text(opts.Outputs)
	var d *ast.Document
	if opts.Markdown != nil {
		d = opts.Markdown(name, text)
	} else {
		d = Parse(name, "", text, Options{})
	}
	d.Format, d.Pages = "notebook", cells
	d.Expand()
	if d.Meta == nil {
		d.Meta = map[string]any{}
	}
	d.Meta["derived"] = true
	if lang := book.language(); lang != "" {
		d.Meta["language"] = lang
	}
	return d
}

// notebook is the part of the file format that holds text, in version 4 and,
// with worksheets, 3.
type notebook struct {
	Cells      []cell
	Worksheets []struct{ Cells []cell }
	Metadata   struct {
		LanguageInfo struct{ Name string } `json:"language_info"`
		Kernelspec   struct{ Language string }
	}
}

type cell struct {
	Type    string `json:"cell_type"`
	Source  lines
	Input   lines // version 3
	Level   int   // of a heading in version 3
	Outputs []struct {
		Text lines
		Data struct {
			Plain lines `json:"text/plain"`
		}
		Traceback lines
	}
}

// lines is a string, or a list of strings to join.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	var s string
	_ = json.Unmarshal(data, &s) // something else holds no text
	*l = lines(s)
	return nil
}

func (n *notebook) language() string {
	if name := n.Metadata.LanguageInfo.Name; name != "" {
		return name
	}
	return n.Metadata.Kernelspec.Language
}

// text writes the notebook out as Markdown. starts are where the cells begin.
func (n *notebook) text(outputs bool) (text []byte, starts []int) {
	var b strings.Builder
	cells := n.Cells
	for _, w := range n.Worksheets {
		cells = append(cells, w.Cells...)
	}
	for _, c := range cells {
		starts = append(starts, b.Len())
		source := string(c.Source + c.Input)
		switch c.Type {
		case "code":
			writeFence(&b, n.language(), source)
			for _, o := range c.Outputs {
				if outputs {
					writeFence(&b, "text", string(o.Text+o.Data.Plain))
				}
			}
		case "heading":
			b.WriteString(strings.Repeat("#", min(max(c.Level, 1), 6)) + " " + strings.TrimSpace(source) + "\n\n")
		case "raw":
			writeFence(&b, "text", source)
		default:
			if source = strings.Trim(source, "\n"); source != "" {
				b.WriteString(source + "\n\n")
			}
		}
	}
	return []byte(b.String()), starts // valid UTF-8, as all that was read from JSON
}

// writeFence writes a fence that is longer than any in the text.
func writeFence(b *strings.Builder, lang, text string) {
	text = strings.Trim(text, "\n")
	if text == "" {
		return
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	b.WriteString(fence + lang + "\n" + text + "\n" + fence + "\n\n")
}
