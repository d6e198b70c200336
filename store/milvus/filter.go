package milvus

import (
	"fmt"
	"strings"

	"github.com/cantle/cantle/store"
	"github.com/cantle/cantle/store/internal/coarse"
)

// expression returns what the server is asked of a filter, "" for all.
func expression(f store.Filter) string {
	asked := inner(coarse.Filter(f))
	if asked == "" {
		return ""
	}
	return fmt.Sprintf("metadata[%q] == true or %s", coarse.HasLists, asked)
}

// inner returns a coarse filter in Milvus's language. Texts that would have to
// be quoted are not asked for.
func inner(f store.Filter) string {
	switch f := f.(type) {
	case store.And:
		var all []string
		for _, part := range f {
			if s := inner(part); s != "" {
				all = append(all, s)
			}
		}
		if all == nil {
			return ""
		}
		return "(" + strings.Join(all, " and ") + ")"
	case store.Or:
		var any []string
		for _, part := range f {
			s := inner(part)
			if s == "" {
				return ""
			}
			any = append(any, s)
		}
		return "(" + strings.Join(any, " or ") + ")"
	case store.Compare:
		key, isKey := quoted(f.Field)
		value, isValue := quoted(f.Value)
		if isKey && isValue {
			return "metadata[" + key + "] == " + value
		}
	}
	return ""
}

// quoted returns a value as it stands in an expression, if it can stand there
// as it is.
func quoted(v any) (string, bool) {
	switch v := v.(type) {
	case bool:
		return fmt.Sprint(v), true
	case string:
		return `"` + v + `"`, !strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == '"' || r == '\'' || r == '\\' })
	}
	return "", false
}
