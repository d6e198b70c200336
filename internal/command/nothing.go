package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cantle/cantle/store"
)

// whyNothing says why a search shows nothing: because of the budget, or of a
// filter whose field no chunk has that the query finds, or because nothing is
// found.
func whyNothing(ctx context.Context, st store.Store, q store.Query, hits []store.Hit, budget int) (string, error) {
	if len(hits) > 0 {
		least := hits[0].Tokens
		for _, h := range hits {
			least = min(least, h.Tokens)
		}
		return fmt.Sprintf("nothing fits into --budget %d: the smallest of %d hits has %d tokens", budget, len(hits), least), nil
	}
	why := "nothing found"
	fields := slices.Compact(slices.Sorted(slices.Values(filterFields(q.Where, nil))))
	if len(fields) == 0 {
		return why, nil
	}
	q.Where = nil
	without, err := st.Search(ctx, q)
	if err != nil || len(without) == 0 {
		return why, err
	}
	for _, field := range fields {
		q.Where = store.Compare{Field: field, Op: store.Exists}
		with, err := st.Search(ctx, q)
		if err != nil {
			return why, err
		}
		if len(with) > 0 {
			continue
		}
		why += fmt.Sprintf("; no chunk that the query finds has the field %s", field)
		if other := otherCase(field, without); other != "" {
			why += fmt.Sprintf(": did you mean %s?", other)
		}
	}
	return why, nil
}

// filterFields appends the fields that a filter compares.
func filterFields(f store.Filter, to []string) []string {
	switch f := f.(type) {
	case store.And:
		for _, inner := range f {
			to = filterFields(inner, to)
		}
	case store.Or:
		for _, inner := range f {
			to = filterFields(inner, to)
		}
	case store.Not:
		return filterFields(f.Filter, to)
	case store.Compare:
		return append(to, f.Field)
	}
	return to
}

// otherCase returns the field of the record, or the key of the hits' metadata,
// that differs from a name in upper and lower case only; "" for none.
func otherCase(name string, hits []store.Hit) string {
	var names []string
	for _, f := range store.Fields {
		names = append(names, f.Name)
	}
	for _, h := range hits {
		names = slices.AppendSeq(names, maps.Keys(h.Meta))
	}
	for _, n := range names {
		if n != name && strings.EqualFold(n, name) {
			return n
		}
	}
	return ""
}
