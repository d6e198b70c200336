// Package coarse is for stores whose server filters by flat metadata and knows
// less than the language of filters. The server gets a filter that lets through
// more, never less, and the store applies the whole one to what comes.
package coarse

import "github.com/cantle/cantle/store"

// HasLists is the key of metadata that says that lists are in it, their items
// joined, so that a comparison with an item does not hold there.
const HasLists = "has_lists"

// Filter returns what of a filter compares strings of flat metadata for
// equality: store.And, store.Or and store.Compare, whose fields are the keys of
// store.Flat. It lets through all that f does; nil is all.
func Filter(f store.Filter) store.Filter {
	switch f := f.(type) {
	case store.And:
		var all store.And
		for _, part := range f {
			if p := Filter(part); p != nil {
				all = append(all, p)
			}
		}
		switch len(all) {
		case 0:
			return nil
		case 1:
			return all[0]
		}
		return all
	case store.Or:
		var any store.Or
		for _, part := range f {
			p := Filter(part)
			if p == nil {
				return nil
			}
			any = append(any, p)
		}
		switch len(any) {
		case 0:
			return nil
		case 1:
			return any[0]
		}
		return any
	case store.Compare:
		value, isText := f.Value.(string)
		if f.Op != store.Equal || !isText || value == "" {
			return nil
		}
		field, known := store.FieldOf(f.Field)
		switch {
		case !known: // a list is joined there
			return store.Or{equal(f.Key(), value), equal("meta."+f.Key(), value), equal(HasLists, true)}
		case field.Kind == store.Text && field.Name != "path":
			return equal(field.Name, value)
		}
	}
	return nil
}

func equal(key string, value any) store.Compare {
	return store.Compare{Field: key, Op: store.Equal, Value: value}
}

// Metadata returns store.Flat and the id of a record, and whether its meta holds
// lists.
func Metadata(r *store.Record) map[string]any {
	m := store.Flat(&r.Chunk)
	m["id"], m[HasLists] = r.ID, hasLists(r.Meta)
	return m
}

func hasLists(meta map[string]any) bool {
	for _, v := range meta {
		switch v := v.(type) {
		case nil, string, bool, float64, int, int64:
		case map[string]any:
			if hasLists(v) {
				return true
			}
		default:
			return true
		}
	}
	return false
}
