package cantle

import (
	"slices"
	"strings"

	"github.com/cantle/cantle/chunker"
	"github.com/cantle/cantle/code"
	"github.com/cantle/cantle/lang"
)

// nameLanguages fills in the language of chunks of prose, section by section,
// and gives that of code the name of its format. What is too short to tell is
// taken to be in the language of the document.
func nameLanguages(chunks []chunker.Chunk) {
	document := documentLanguage(chunks)
	last := -1 // the last chunk whose prose named its language
	for i := range chunks {
		c := &chunks[i]
		switch {
		case c.Language != "":
			c.Language = languageName(c.Language)
		case c.Type == "code":
		case last >= 0 && last == i-1 && slices.Equal(c.SectionPath, chunks[last].SectionPath):
			c.Language, last = chunks[last].Language, i
		default:
			c.Language, last = lang.DetectWithin(document, prose(c.Text)), i
		}
	}
}

// languageName returns the name of the format that a fence's tag stands for, the
// tag where no format is known by it.
func languageName(tag string) string {
	if name := code.NameOf(tag); name != "" {
		return name
	}
	switch tag {
	case "nocode", "none", "plain", "plaintext":
		return "text"
	}
	for _, f := range formats {
		if f.Name == tag || slices.Contains(f.Extensions, "."+tag) {
			return f.Name
		}
	}
	return tag
}

// documentLanguage returns the language that most of the prose is in, as far as
// parts of a few chunks tell.
func documentLanguage(chunks []chunker.Chunk) string {
	const samples, bytes = 16, 1024
	size := max(bytes/samples, bytes/max(1, len(chunks)))
	var b strings.Builder
	for i := 0; i < len(chunks); i += 1 + len(chunks)/samples {
		if c := &chunks[i]; c.Language == "" && c.Type != "code" {
			text := prose(c.Text)
			if over := len(text) - size; over > 0 {
				text = strings.ToValidUTF8(text[over/2:over/2+size], "")
			}
			b.WriteString(text + "\n")
		}
	}
	return lang.Detect(b.String())
}

// prose returns a text without what Markdown marks as code and as the addresses of links in it.
func prose(text string) string {
	if strings.IndexByte(text, '`') < 0 && !strings.Contains(text, "](") && !strings.Contains(text, "~~~") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	fence := ""
	for line := range strings.Lines(text) {
		mark := strings.TrimLeft(line, " \t>")
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case strings.HasPrefix(mark, "```"), strings.HasPrefix(mark, "~~~"):
			fence = mark[:3]
		default:
			writeProse(&b, line)
		}
	}
	return b.String()
}

// writeProse writes a line without the spans of code and the addresses in it.
func writeProse(b *strings.Builder, line string) {
	for line != "" {
		at, end := strings.IndexByte(line, '`'), "`"
		if link := strings.Index(line, "]("); link >= 0 && (at < 0 || link < at) {
			at, end = link, ")"
		}
		if at < 0 {
			break
		}
		b.WriteString(line[:at])
		line = line[at+1:]
		if _, after, ok := strings.Cut(line, end); ok {
			line = after
		}
	}
	b.WriteString(line)
}
