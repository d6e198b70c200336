// Package where puts filters together for the WHERE of an SQL query. What a
// comparison is in SQL is its caller's.
package where

import (
	"strings"

	"github.com/cantle/cantle/store"
)

// A Dialect says true and false.
type Dialect struct{ True, False string }

// Write writes the filter of a resolved query to sql; compare writes a comparison
// to it, as SQL that is true or false for every row, never NULL, so that NOT means
// what it says.
func (d Dialect) Write(sql *strings.Builder, f store.Filter, compare func(store.Compare)) {
	switch f := f.(type) {
	case store.And:
		d.list(sql, f, " AND ", d.True, compare)
	case store.Or:
		d.list(sql, f, " OR ", d.False, compare)
	case store.Not:
		sql.WriteString("NOT ")
		d.list(sql, []store.Filter{f.Filter}, "", "", compare)
	case store.Compare:
		compare(f)
	}
}

// list writes all in parentheses with a word between them, or none.
func (d Dialect) list(sql *strings.Builder, all []store.Filter, word, none string, compare func(store.Compare)) {
	if len(all) == 0 {
		sql.WriteString(none)
	}
	for i, f := range all {
		if i > 0 {
			sql.WriteString(word)
		}
		sql.WriteString("(")
		d.Write(sql, f, compare)
		sql.WriteString(")")
	}
}
