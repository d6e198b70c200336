package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cantle/cantle/chunker"
)

// A Filter says which chunks may be found: [And], [Or], [Not] or [Compare].
// Match is what it means; a store that can ask it of its engine must get the
// same answer. String is in the language that [ParseFilter] reads.
type Filter interface {
	Match(c *chunker.Chunk) bool
	String() string
}

// And lets through what all let through.
type And []Filter

// Or lets through what any lets through.
type Or []Filter

// Not lets through what the other does not.
type Not struct{ Filter Filter }

// An Op is a comparison.
type Op string

const (
	Equal    Op = "="
	Less     Op = "<"
	AtMost   Op = "<="
	Greater  Op = ">"
	AtLeast  Op = ">="
	Begins   Op = "^="
	Ends     Op = "$="
	Contains Op = "*="
	Exists   Op = "exists"
)

// A Compare compares a field with a value. It holds for a list where it holds
// for any of its items. It does not hold where the field is missing, or of
// another type than the value: "2" is not 2. Strings compare by their bytes.
type Compare struct {
	Field string
	Op    Op
	Value any // a string, a bool or a number of any type; nil for Exists
}

var ops = []Op{Equal, Less, AtMost, Greater, AtLeast, Begins, Ends, Contains, Exists}

// checked returns a filter that means the same and whose values are strings,
// float64 and bool, or why it means nothing.
func checked(f Filter) (Filter, error) {
	switch f := f.(type) {
	case And:
		all, err := checkedAll(f)
		return And(all), err
	case Or:
		all, err := checkedAll(f)
		return Or(all), err
	case Not:
		inner, err := checked(f.Filter)
		return Not{inner}, err
	case Compare:
		return f.checked()
	}
	return nil, fmt.Errorf("a filter of type %T is not known", f)
}

func checkedAll(list []Filter) ([]Filter, error) {
	all := make([]Filter, len(list))
	for i := range list {
		var err error
		if all[i], err = checked(list[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (f Compare) checked() (Filter, error) {
	v := plain(f.Value)
	why := ""
	switch v := v.(type) {
	case nil:
		if f.Op != Exists {
			why = "a value is missing"
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			why = "no number"
		}
	case string, bool:
	default:
		why = fmt.Sprintf("a value is a string, a number or a bool, and no %T", v)
	}
	switch {
	case !slices.Contains(ops, f.Op):
		why = fmt.Sprintf("%s is no comparison: want one of %v", f.Op, ops)
	case f.Op == Exists && v != nil:
		why = "exists takes no value"
	}
	if why != "" {
		return nil, fmt.Errorf("filter %s: %s", f, why)
	}
	return Compare{f.Field, f.Op, v}, nil
}

// Match reports whether all match.
func (a And) Match(c *chunker.Chunk) bool {
	for _, f := range a {
		if !f.Match(c) {
			return false
		}
	}
	return true
}

// Match reports whether any matches.
func (o Or) Match(c *chunker.Chunk) bool {
	for _, f := range o {
		if f.Match(c) {
			return true
		}
	}
	return false
}

// Match reports whether the other does not.
func (n Not) Match(c *chunker.Chunk) bool { return !n.Filter.Match(c) }

// Match reports whether the field of c compares so.
func (f Compare) Match(c *chunker.Chunk) bool {
	var v any
	if field, ok := FieldOf(f.Field); ok {
		v = field.Value(c)
		if f.Op == Exists {
			return !reflect.ValueOf(v).IsZero() && (field.Kind != List || len(field.list(c)) > 0)
		}
	} else {
		v = Meta(c.Meta, f.Key())
	}
	switch v := v.(type) {
	case []string:
		for _, s := range v {
			if f.holds(s) {
				return true
			}
		}
		return false
	case []any:
		for _, item := range v {
			if f.holds(plain(item)) {
				return true
			}
		}
		return false
	}
	return f.holds(plain(v))
}

// Key returns the key of meta that a comparison is of which no field has the
// name.
func (f Compare) Key() string { return strings.TrimPrefix(f.Field, "meta.") }

// Meta returns the value of a key of meta as JSON has it; a dot steps into an
// object. It is nil where there is none.
func Meta(meta map[string]any, key string) any {
	var v any = meta
	for step := range strings.SplitSeq(key, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[step]
	}
	if rv := reflect.ValueOf(v); rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() != reflect.Uint8 {
		items := make([]any, rv.Len())
		for i := range items {
			items[i] = plain(rv.Index(i).Interface())
		}
		return items
	}
	return plain(v)
}

// plain returns v as a string, float64, bool or nil, where it is one.
func plain(v any) any {
	switch v := v.(type) {
	case nil, string, bool, float64:
		return v
	case time.Time:
		return v.Format(time.RFC3339Nano) // as encoding/json writes it
	case json.Number:
		x, _ := v.Float64()
		return x
	}
	switch rv := reflect.ValueOf(v); {
	case rv.CanInt():
		return float64(rv.Int())
	case rv.CanUint():
		return float64(rv.Uint())
	case rv.CanFloat():
		return rv.Float()
	case rv.Kind() == reflect.String:
		return rv.String()
	case rv.Kind() == reflect.Bool:
		return rv.Bool()
	}
	return v
}

// holds compares one plain value.
func (f Compare) holds(v any) bool {
	switch v := v.(type) {
	case string:
		if f.Op == Exists {
			return true
		}
		want, ok := plain(f.Value).(string)
		if !ok {
			return false
		}
		switch f.Op {
		case Begins:
			return strings.HasPrefix(v, want)
		case Ends:
			return strings.HasSuffix(v, want)
		case Contains:
			return strings.Contains(v, want)
		}
		return ordered(f.Op, cmp.Compare(v, want))
	case float64:
		want, ok := plain(f.Value).(float64)
		return f.Op == Exists || ok && ordered(f.Op, cmp.Compare(v, want))
	case bool:
		want, ok := plain(f.Value).(bool)
		return f.Op == Exists || ok && f.Op == Equal && v == want
	}
	return false
}

// ordered reports whether an order, as cmp.Compare gives it, is the one asked
// for.
func ordered(op Op, order int) bool {
	switch op {
	case Equal:
		return order == 0
	case Less:
		return order < 0
	case AtMost:
		return order <= 0
	case Greater:
		return order > 0
	case AtLeast:
		return order >= 0
	}
	return false
}

func (a And) String() string { return joinFilters(a, " and ") }
func (o Or) String() string  { return joinFilters(o, " or ") }
func (n Not) String() string { return "not " + group(n.Filter) }

func (f Compare) String() string {
	switch v := plain(f.Value).(type) {
	case nil:
		return f.Field + " " + string(f.Op)
	case string:
		return fmt.Sprintf("%s %s %s", f.Field, f.Op, quote(v))
	case float64:
		return fmt.Sprintf("%s %s %s", f.Field, f.Op, strconv.FormatFloat(v, 'g', -1, 64))
	default:
		return fmt.Sprintf("%s %s %v", f.Field, f.Op, v)
	}
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func joinFilters(list []Filter, with string) string {
	parts := make([]string, len(list))
	for i, f := range list {
		parts[i] = group(f)
	}
	return strings.Join(parts, with)
}

func group(f Filter) string {
	if _, ok := f.(Compare); ok {
		return f.String()
	}
	return "(" + f.String() + ")"
}
