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

func newCondition(f store.Filter) *condition {
	c := &condition{}
	where.Dialect{True: "1", False: "0"}.Write(&c.sql, f, c.compare)
	return c
}

func (c *condition) add(sql string, args ...any) {
	c.sql.WriteString(sql)
	c.args = append(c.args, args...)
}

func (c *condition) compare(f store.Compare) {
	if field, ok := store.FieldOf(f.Field); ok {
		c.field(field, f)
	} else {
		c.meta(f)
	}
}

func (c *condition) field(field *store.Field, f store.Compare) {
	empty := "''"
	if field.Kind == store.Number {
		empty = "0"
	}
	_, isText := f.Value.(string)
	_, isNumber := f.Value.(float64)
	switch {
	case f.Op == store.Exists:
		c.add(field.Name + " <> " + empty)
	case field.Kind == store.Number && isNumber, field.Kind == store.Text && isText:
		c.value(field.Name, f.Op, f.Value)
	case field.Kind == store.List && isText:
		c.list(field.Name, f.Op, f.Value.(string))
	default:
		c.add("0")
	}
}

// list compares the items of a list with a string.
func (c *condition) list(column string, op store.Op, s string) {
	switch op {
	case store.Equal:
		c.add("instr("+column+", ?) > 0", listMark+s+listMark)
	case store.Begins:
		c.add("instr("+column+", ?) > 0", listMark+s)
	case store.Ends:
		c.add("instr("+column+", ?) > 0", s+listMark)
	case store.Contains:
		c.add("("+column+" <> '' AND instr("+column+", ?) > 0)", s)
	default:
		c.add("EXISTS (SELECT 1 FROM records r, json_each(r.record, '$." + column + "') e WHERE r.slot = chunks.slot AND ")
		c.value("e.value", op, s)
		c.add(")")
	}
}

// meta looks a key up in the distinct objects, which are few.
func (c *condition) meta(f store.Compare) {
	path := `$."` + strings.ReplaceAll(f.Key(), ".", `"."`) + `"`
	c.add("meta IN (SELECT m.key FROM metas m, json_each(m.meta, ?) e WHERE json_type(m.meta, ?) <> 'object' AND ", path, path)
	switch v := f.Value.(type) {
	case nil: // exists
		c.add("e.type IN ('text', 'integer', 'real', 'true', 'false')")
	case string:
		c.add("e.type = 'text' AND ")
		c.value("e.value", f.Op, v)
	case float64:
		c.add("e.type IN ('integer', 'real') AND ")
		c.value("e.value", f.Op, v)
	case bool:
		if f.Op == store.Equal {
			c.add("e.type = ?", fmt.Sprint(v))
		} else {
			c.add("0")
		}
	}
	c.add(")")
}

// value compares a column with a string or number.
func (c *condition) value(column string, op store.Op, v any) {
	_, isText := v.(string)
	switch {
	case op == store.Equal, op == store.Less, op == store.AtMost, op == store.Greater, op == store.AtLeast:
		c.add(column+" "+string(op)+" ?", v)
	case !isText:
		c.add("0")
	case op == store.Begins:
		c.add("instr("+column+", ?) = 1", v)
	case op == store.Ends:
		c.add("substr("+column+", length("+column+") - length(?) + 1) = ? AND length("+column+") >= length(?)", v, v, v)
	case op == store.Contains:
		c.add("instr("+column+", ?) > 0", v)
	}
}
