package code

import (
	"bytes"
	"strings"
)

// maskMacros returns src with the macros blotted out that stand on a line of
// their own, by as many bytes: the grammars of C and C++ do not expand them,
// and read one without a semicolon as the start of what follows. One that a
// blank line follows becomes a comment, so that it stays apart. One
// right above something becomes blanks, so that it goes with that. It returns
// src itself where there is none.
func maskMacros(src []byte) []byte {
	masked := src
	ended := true // the line before ends a statement
	for at := 0; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := bytes.TrimSpace(src[at:end])
		if len(line) == 0 {
			at = end
			continue
		}
		if ended && isMacroLine(line) {
			rest := src[end:]
			next := bytes.TrimLeft(rest, " \t\r\n")
			if len(next) == 0 || !strings.ContainsRune("{:=,.([;?+-*&|<>", rune(next[0])) {
				if len(masked) > 0 && &masked[0] == &src[0] {
					masked = bytes.Clone(src)
				}
				start := at + bytes.IndexByte(src[at:end], line[0])
				for i := range line {
					masked[start+i] = ' '
				}
				if apart := rest[:len(rest)-len(next)]; bytes.IndexByte(apart, '\n') >= 0 || len(next) == 0 {
					masked[start], masked[start+1] = '/', '/'
				}
			}
		}
		switch last := line[len(line)-1]; {
		case line[0] == '#':
			ended = last != '\\'
		default:
			ended = last == ';' || last == '{' || last == '}' || last == ':' || bytes.HasSuffix(line, []byte("*/")) ||
				bytes.HasPrefix(line, []byte("//")) || ended && isMacroLine(line)
		}
		at = end
	}
	return masked
}

// maskExpressions returns src with what stands between braces blotted out where it
// has signs that mean something else in HTML: {#if n > 3}, {{ a < b }}. Braces that
// do not close, or have a tag that closes between them, are left alone. It returns
// src itself where there is nothing to do.
func maskExpressions(src []byte) []byte {
	masked := src
	depth, start := 0, 0
	for i, c := range src {
		switch {
		case c == '{':
			if depth++; depth == 1 {
				start = i
			}
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			inner := src[start : i+1]
			if !bytes.ContainsAny(inner, "<>&=\"' ") || bytes.Contains(inner, []byte("</")) {
				continue
			}
			if &masked[0] == &src[0] {
				masked = bytes.Clone(src)
			}
			for k := range inner {
				masked[start+k] = '_'
			}
		}
	}
	return masked
}

// isMacroLine reports whether a line is a name in capitals, with arguments or
// without, and nothing else.
func isMacroLine(line []byte) bool {
	i := 0
	for i < len(line) && (line[i] >= 'A' && line[i] <= 'Z' || line[i] == '_' || i > 0 && line[i] >= '0' && line[i] <= '9') {
		i++
	}
	if i < 2 {
		return false
	}
	rest := bytes.TrimLeft(line[i:], " \t")
	if len(rest) == 0 {
		return true
	}
	if rest[0] != '(' || rest[len(rest)-1] != ')' {
		return false
	}
	depth := 0
	for i, c := range rest {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(rest)-1 {
				return false
			}
		}
	}
	return depth == 0
}
