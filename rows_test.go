package cantle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
	"github.com/cantle/cantle/chunker"
)

// TestChunkRows cuts a file of more than one extract as a whole and part by
// part: the rows are the same.
func TestChunkRows(t *testing.T) {
	if !long() {
		t.Skip("takes some seconds")
	}
	var src bytes.Buffer
	src.WriteString("id,name,length\n")
	for i := 0; src.Len() < 40<<20; i++ {
		fmt.Fprintf(&src, "%d,Boat %d of the yard,%d\n", i, i*7, i%97)
	}
	rows, chunks, extracts := 0, 0, 0
	var own strings.Builder
	err := cantle.ChunkRows(context.Background(), "boats.csv", bytes.NewReader(src.Bytes()), cantle.Options{Encoding: "chars"},
		func(e ast.Extract, some []chunker.Chunk) error {
			extracts++
			for i := range some {
				chunks++
				rows = some[i].Table.RowEnd
				own.WriteString(some[i].Own() + "\n")
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if own.String() != src.String() {
		t.Error("the own text of the chunks is not the file")
	}
	if want := bytes.Count(src.Bytes(), []byte("\n")) - 1; rows != want || extracts != 4 {
		t.Errorf("%d rows in %d chunks of %d extracts, want %d rows, 4 calls", rows, chunks, extracts, want)
	}
}

func TestChunkRowsErrors(t *testing.T) {
	nothing := func(ast.Extract, []chunker.Chunk) error { return nil }
	cut := func(src string, opt cantle.Options, use func(ast.Extract, []chunker.Chunk) error) error {
		return cantle.ChunkRows(context.Background(), "t.csv", strings.NewReader(src), opt, use)
	}
	if err := cut("", cantle.Options{}, nothing); err != nil {
		t.Errorf("an empty file: %v", err)
	}
	if err := cut("a,b\n1,\x002\n", cantle.Options{}, nothing); err != cantle.ErrBinary {
		t.Errorf("a binary file: %v", err)
	}
	var option *chunker.OptionError
	if err := cut("a,b\n", cantle.Options{Cut: chunker.Options{Parents: 4000}}, nothing); !errors.As(err, &option) {
		t.Errorf("parents: %v", err)
	}
	boom := errors.New("boom")
	if err := cut("a,b\n1,2\n", cantle.Options{}, func(ast.Extract, []chunker.Chunk) error { return boom }); err != boom {
		t.Errorf("use fails: %v", err)
	}
}
