package cantle_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/cantle/cantle/chunker"
)

// docs/record.md says what each field of the record holds.
func TestEveryFieldOfTheRecordIsDocumented(t *testing.T) {
	page, err := os.ReadFile("docs/record.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{chunker.Chunk{}, chunker.Part{}, chunker.Table{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("docs/record.md does not name `%s`", name)
			}
		}
	}
}
