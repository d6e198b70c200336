package sqlite

import (
	"fmt"
	"strings"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/where"
)

// The table of chunks has a column for each field that a filter can name.
var createChunks, insertChunk = func() (string, string) {
	var create, names, marks strings.Builder
	create.WriteString("CREATE TABLE chunks (slot INTEGER PRIMARY KEY, doc INTEGER NOT NULL, position INTEGER NOT NULL, content INTEGER NOT NULL, meta INTEGER NOT NULL")
	for _, f := range store.Fields {
		kind := "TEXT"
		if f.Kind == store.Number {
			kind = "INTEGER"
		}
		fmt.Fprintf(&create, ", %s %s NOT NULL", f.Name, kind)
		names.WriteString(", " + f.Name)
		marks.WriteString(", ?")
	}
	create.WriteString(");\nCREATE UNIQUE INDEX chunks_id ON chunks (id);\nCREATE INDEX chunks_doc ON chunks (doc);\n")
	return create.String(), "INSERT INTO chunks (slot, doc, position, content, meta" + names.String() + ") VALUES (?, ?, ?, ?, ?" + marks.String() + ")"
}()

// A condition is SQL for the WHERE of a query of chunks.
type condition struct {
	sql  strings.Builder
	args []any
}

func newCondition(f store.Filter) (*condition, error) {
	c := &condition{}
	return c, where.Dialect{True: "1", False: "0"}.Write(&c.sql, f, c.compare)
}

func (c *condition) add(sql string, args ...any) error {
	c.sql.WriteString(sql)
	c.args = append(c.args, args...)
	return nil
}

func (c *condition) compare(f store.Compare) error {
	if field, ok := store.FieldOf(f.Field); ok {
		return c.field(field, f)
	}
	return c.meta(f)
}

func (c *condition) field(field *store.Field, f store.Compare) error {
	empty := "''"
	if field.Kind == store.Number {
		empty = "0"
	}
	if f.Op == store.Exists {
		return c.add(field.Name + " <> " + empty)
	}
	s, isText := f.Value.(string)
	x, isNumber := f.Value.(float64)
	switch {
	case field.Kind == store.Number && isNumber:
		return c.value(field.Name, f.Op, x)
	case field.Kind == store.Text && isText:
		return c.value(field.Name, f.Op, s)
	case field.Kind != store.List || !isText:
		return c.add("0")
	}
	switch f.Op {
	case store.Equal:
		return c.add("instr("+field.Name+", ?) > 0", listMark+s+listMark)
	case store.Begins:
		return c.add("instr("+field.Name+", ?) > 0", listMark+s)
	case store.Ends:
		return c.add("instr("+field.Name+", ?) > 0", s+listMark)
	case store.Contains:
		return c.add("("+field.Name+" <> '' AND instr("+field.Name+", ?) > 0)", s)
	}
	c.sql.WriteString("EXISTS (SELECT 1 FROM records r, json_each(r.record, '$." + field.Name + "') e WHERE r.slot = chunks.slot AND ")
	c.value("e.value", f.Op, s)
	return c.add(")")
}

// meta looks a key up in the distinct objects, which are few.
func (c *condition) meta(f store.Compare) error {
	path := `$."` + strings.ReplaceAll(f.Key(), ".", `"."`) + `"`
	c.add("meta IN (SELECT m.key FROM metas m, json_each(m.meta, ?) e WHERE json_type(m.meta, ?) <> 'object' AND ", path, path)
	switch v := f.Value.(type) {
	case string:
		c.sql.WriteString("e.type = 'text' AND ")
		c.value("e.value", f.Op, v)
	case float64:
		c.sql.WriteString("e.type IN ('integer', 'real') AND ")
		c.value("e.value", f.Op, v)
	case bool:
		if f.Op == store.Equal {
			c.add("e.type = ?", fmt.Sprint(v))
		} else {
			c.add("0")
		}
	default:
		c.add("e.type IN ('text', 'integer', 'real', 'true', 'false')")
	}
	return c.add(")")
}

// value compares a column with a string or number.
func (c *condition) value(column string, op store.Op, v any) error {
	_, isText := v.(string)
	switch op {
	case store.Equal, store.Less, store.AtMost, store.Greater, store.AtLeast:
		return c.add(column+" "+string(op)+" ?", v)
	case store.Begins:
		if isText {
			return c.add("instr("+column+", ?) = 1", v)
		}
	case store.Ends:
		if isText {
			return c.add("substr("+column+", length("+column+") - length(?) + 1) = ? AND length("+column+") >= length(?)", v, v, v)
		}
	case store.Contains:
		if isText {
			return c.add("instr("+column+", ?) > 0", v)
		}
	}
	return c.add("0")
}
