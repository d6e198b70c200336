package chunker

import (
	"slices"
	"testing"
)

// TestSeparatorEach holds what a separator finds against its expression, also
// where it is a text and found as such.
func TestSeparatorEach(t *testing.T) {
	const text = "# a.b\n\n## A.B\n\n\n# c. d\n"
	for _, expr := range []string{`\n`, `\.`, `.`, `\n\n`, `^# `, `(?m)^# `, `(?i)b`, `a|b`, `\n*`, `\n(?<next># )`, `(\.) `, `\b`, `\Q# \E`} {
		s, err := compiled(expr)
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		var got, want [][3]int
		s.each(text, func(start, end, next int) { got = append(got, [3]int{start, end, next}) })
		for _, m := range s.expr.FindAllStringSubmatchIndex(text, -1) {
			next := -1
			if i := s.expr.SubexpIndex("next"); i > 0 {
				next = m[2*i]
			}
			if m[0] < m[1] {
				want = append(want, [3]int{m[0], m[1], next})
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", expr, got, want)
		}
	}
}

// TestSeparatorsAreKept asserts that an expression is compiled once, and that a
// program that makes up one after the other does not grow.
func TestSeparatorsAreKept(t *testing.T) {
	first, err := compiled(`kept\n`)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := compiled(`kept\n`); again != first {
		t.Error("compiled twice")
	}
	for i := range 2 * maxCompilations {
		if _, err := compiled(string(rune('一' + i))); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(compilations.byExpr); n > maxCompilations {
		t.Errorf("%d expressions are kept, want at most %d", n, maxCompilations)
	}
}
