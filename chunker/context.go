package chunker

import "strings"

// JoinPath joins the titles of a section path to a line: "A > B > C". A ">"
// or "\" inside a title is escaped with "\", so that the titles can be had back.
func JoinPath(path []string) string {
	return strings.Join(escapeTitles(path), " > ")
}

var titleEscapes = strings.NewReplacer(`\`, `\\`, `>`, `\>`)

func escapeTitles(path []string) []string {
	for i, title := range path {
		if strings.ContainsAny(title, `\>`) {
			escaped := append([]string(nil), path...)
			for j := i; j < len(escaped); j++ {
				escaped[j] = titleEscapes.Replace(escaped[j])
			}
			return escaped
		}
	}
	return path
}

// SplitPath undoes [JoinPath].
func SplitPath(line string) []string {
	if line == "" {
		return nil
	}
	var path []string
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		case strings.HasPrefix(line[i:], " > "):
			path = append(path, b.String())
			b.Reset()
			i += 2
		default:
			b.WriteByte(line[i])
		}
	}
	return append(path, b.String())
}

// titles returns what the context of a scope is made of, outermost first.
func (p *planner) titles(s int32) []string {
	if p.opt.Context == ContextNone {
		return nil
	}
	path := p.scopes[s].path
	if p.opt.Title == "" || len(path) > 0 && path[0] == p.opt.Title {
		return path
	}
	return append([]string{p.opt.Title}, path...)
}

// contexts returns the size of the context of a scope with no, one, two, ...
// titles left out, each with the blank line behind it; the last is 0.
func (p *planner) contexts(s int32) []int {
	if p.scopes[s].contexts == nil {
		titles := p.titles(s)
		sizes := make([]int, len(titles)+1)
		for i := range titles {
			sizes[i] = p.opt.Sizer.Count(JoinPath(titles[i:]) + "\n\n")
		}
		p.scopes[s].contexts = sizes
	}
	return p.scopes[s].contexts
}
