package milvus

import (
	"fmt"
	"strings"
	"testing"
)

func TestPostings(t *testing.T) {
	added := map[string][]byte{}
	for i := range 5000 {
		added[fmt.Sprintf("term%d", i)] = []byte(strings.Repeat("x", i%300))
	}
	b := &block{Number: 7, Buckets: bucketsFor(len(added))}
	rows := map[string]row{}
	for _, r := range postingsRows(b, added, 3) {
		rows[r.key] = r
	}
	if len(rows) > b.Buckets || len(rows) < b.Buckets/2 {
		t.Errorf("%d rows in %d buckets", len(rows), b.Buckets)
	}
	for term, want := range added {
		got, err := postings(rows[b.bucketKey(term)], term)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %d bytes of %d, %v", term, len(got), len(want), err)
		}
	}
	if got, err := postings(rows[b.bucketKey("other")], "other"); got != nil || err != nil {
		t.Errorf("a term that is not there: %q, %v", got, err)
	}
	for _, bad := range []string{"!", encode([]byte{5}), encode([]byte{1, 'a'}), encode([]byte{1, 'a', 9, 'b'}), encode([]byte{0xff})} {
		if _, err := postings(row{data: bad}, "x"); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}

func TestPieces(t *testing.T) {
	for _, s := range []string{"", "a", strings.Repeat("退", maxText), strings.Repeat("a", maxText), strings.Repeat("a", maxText-1) + "退"} {
		list, err := pieces(s)
		if err != nil || strings.Join(list, "") != s {
			t.Errorf("%d bytes became others, %v", len(s), err)
		}
		for _, piece := range list {
			if len(piece) > maxText || strings.ToValidUTF8(piece, "") != piece {
				t.Errorf("a piece of %d bytes", len(piece))
			}
		}
	}
	if _, err := pieces(strings.Repeat("a", maxPieces*maxText+1)); err == nil {
		t.Error("too much is no error")
	}
}
