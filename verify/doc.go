// Package verify checks the chunks of any chunker against the document that
// they were made of: whether text was lost, doubled or changed, whether each
// chunk is within the limit, and whether what belongs together was kept so.
//
//	report, err := verify.Check("guide.md", src, recs, verify.Options{Max: 512})
//	for _, f := range report.Faults {
//		t.Error(f)
//	}
//
// The chunks come as records, read from JSON lines by package records; the
// document is parsed anew. A record needs a text and nothing else. Where the
// text stands in the document is found by the text itself, blanks left out, so
// a chunker that repeats a header, reflows lines or keeps no offsets is still
// held to what its chunks say. Offsets, sizes and the parts of cantle's own
// records are checked where a record has them.
//
// Each kind of fault is a [Kind]. A fault names the lines of the document and
// of the JSON lines, so that a person can look.
package verify
