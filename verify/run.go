package verify

import (
	"context"
	"hash/maphash"

	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/internal/ordered"
	"github.com/cantle/cantle/records"
)

// A Source is a document to check.
type Source struct {
	Doc  string // as the records name it
	Open func() ([]byte, error)
}

// Run checks the records of many documents, jobs of them at once. What cannot
// be read goes to failed and the run goes on. Of the chunks it holds those of
// the documents at work, whatever their order in the file.
func Run(ctx context.Context, index *records.Index, sources []Source, jobs int, opt Options, failed func(doc string, err error)) (*Report, error) {
	type result struct {
		doc    string
		recs   []records.Record
		report *Report
		err    error
	}
	feed := func(yield func(Source) error) error {
		for _, s := range sources {
			if err := yield(s); err != nil {
				return err
			}
		}
		return nil
	}
	check := func(s Source) result {
		r := result{doc: s.Doc}
		var src []byte
		if src, r.err = s.Open(); r.err != nil {
			return r
		}
		if r.recs, r.err = index.Records(s.Doc); r.err != nil {
			return r
		}
		r.report, r.err = Check(s.Doc, src, r.recs, opt)
		for i := range r.recs {
			r.recs[i].Text = "" // it can wait without
		}
		return r
	}
	all := &Report{Counts: map[Kind]int{}}
	type owner struct{ doc, record int } // the document by its number, the record by its line
	seed, ids, docs := maphash.MakeSeed(), map[uint64]owner{}, 0
	err := ordered.Map(ctx, jobs, feed, check, func(r result) error {
		if r.err != nil {
			failed(r.doc, r.err)
			return nil
		}
		all.Merge(r.report, opt.keep())
		docs++
		c := checker{opt: opt, doc: &ast.Document{Name: r.doc}, report: &Report{Counts: map[Kind]int{}}}
		for i := range r.recs {
			rec := &r.recs[i]
			if rec.ID == "" {
				continue
			}
			id := maphash.String(seed, rec.ID)
			first, ok := ids[id]
			switch {
			case !ok:
				ids[id] = owner{docs, rec.Line}
			case first.doc != docs: // within one document Check says it
				c.fault(ID, rec, ast.Span{}, rec.ID, "has the id of record %d, of another document", first.record)
			}
		}
		all.Merge(c.report, opt.keep())
		return nil
	})
	all.sort()
	return all, err
}
