package pgvector

import (
	"fmt"
	"strings"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/where"
)

// A condition is SQL for the WHERE of a query of chunks.
type condition struct {
	sql  strings.Builder
	args []any
}

func newCondition(f store.Filter) *condition {
	c := &condition{}
	where.Dialect{True: "true", False: "false"}.Write(&c.sql, f, c.compare)
	return c
}

// add appends SQL; each ? in it is an argument.
func (c *condition) add(sql string, args ...any) {
	for i, part := range strings.Split(sql, "?") {
		if i > 0 {
			c.args = append(c.args, args[i-1])
			fmt.Fprintf(&c.sql, "$%d", len(c.args))
		}
		c.sql.WriteString(part)
	}
}

func (c *condition) compare(f store.Compare) {
	if field, ok := store.FieldOf(f.Field); ok {
		c.field(field, f)
	} else {
		c.meta(f)
	}
}

func (c *condition) field(field *store.Field, f store.Compare) {
	s, isText := f.Value.(string)
	x, isNumber := f.Value.(float64)
	switch {
	case f.Op == store.Exists:
		c.add(field.Name + map[store.Kind]string{store.Text: " <> ''", store.Number: " <> 0", store.List: " <> '{}'"}[field.Kind])
	case field.Kind == store.Number && isNumber:
		c.number(field.Name+"::float8", f.Op, x)
	case field.Kind == store.Text && isText:
		c.text(field.Name, f.Op, s)
	case field.Kind == store.List && isText:
		c.add("EXISTS (SELECT 1 FROM unnest(" + field.Name + ") e WHERE ")
		c.text(`e COLLATE "C"`, f.Op, s)
		c.add(")")
	default:
		c.add("false")
	}
}

// meta looks a key up in the distinct objects, which are few.
func (c *condition) meta(f store.Compare) {
	path := strings.Split(f.Key(), ".")
	c.add(`chunks.meta IN (SELECT m.key FROM metas m, jsonb_array_elements(CASE jsonb_typeof(m.meta #> ?::text[]) WHEN 'array' THEN m.meta #> ?::text[]
		ELSE jsonb_build_array(m.meta #> ?::text[]) END) e WHERE CASE jsonb_typeof(e) WHEN `, path, path, path)
	switch v := f.Value.(type) {
	case nil: // exists
		c.add("'string' THEN true WHEN 'number' THEN true WHEN 'boolean' THEN true")
	case string:
		c.add("'string' THEN ")
		c.text(`(e #>> '{}') COLLATE "C"`, f.Op, v)
	case float64:
		c.add("'number' THEN ")
		c.number("(e #>> '{}')::float8", f.Op, v)
	case bool:
		if f.Op == store.Equal {
			c.add("'boolean' THEN e = ?::text::jsonb", fmt.Sprint(v))
		} else {
			c.add("'boolean' THEN false")
		}
	}
	c.add(" ELSE false END)")
}

func (c *condition) number(column string, op store.Op, x float64) {
	switch op {
	case store.Equal, store.Less, store.AtMost, store.Greater, store.AtLeast:
		c.add(column+" "+string(op)+" ?::float8", x)
	default:
		c.add("false")
	}
}

func (c *condition) text(column string, op store.Op, s string) {
	s = clean(s)
	switch op {
	case store.Equal, store.Less, store.AtMost, store.Greater, store.AtLeast:
		c.add(column+" "+string(op)+" ?::text", s)
	case store.Begins:
		c.add("starts_with("+column+", ?::text)", s)
	case store.Ends:
		c.add("right("+column+", char_length(?::text)) = ?::text", s, s)
	case store.Contains:
		c.add("strpos("+column+", ?::text) > 0", s)
	}
}
