package store

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cantle/cantle/chunker"
)

var sample = chunker.Chunk{
	ID: "k3v9", DocID: "guide/deploy.md", Type: "code", Types: []string{"code", "text"}, Tokens: 120,
	SectionPath: []string{"Handbook", "Chapter 3: Refunds"}, Heading: "Chapter 3: Refunds",
	Meta: map[string]any{"category": "after_sales", "version": 2, "ratio": 0.5, "is_reviewed": true, "类别": "售后",
		"tags": []any{"a", 7}, "owner": map[string]any{"name": "Li"}, "created_at": time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), "type": "x"},
}

func TestFilters(t *testing.T) {
	for _, c := range []struct {
		filter string
		want   bool
	}{
		{`category = "after_sales" and section_path ^= "Chapter 3"`, true},
		{`category = 'after_sales' AND section_path ^= "Chapter 4"`, false},
		{`section_path = "Handbook"`, true},
		{`section_path = "Refunds"`, false},
		{`section_path *= "Refunds" and section_path $= "book"`, true},
		{`path = "Handbook > Chapter 3: Refunds"`, true},
		{`type in ("table", "code")`, true},
		{`types = "text" and type != "text"`, true},
		{`tokens >= 120 and tokens < 120.5`, true},
		{`not tokens < 50`, true},
		{`version = 2 and version > 1 and version != 3`, true},
		{`version = "2"`, false},
		{`version != "2"`, true},
		{`is_reviewed = true`, true},
		{`is_reviewed = false`, false},
		{`is_reviewed = 1`, false},
		{`tags = "a" and tags = 7 and not tags = "7"`, true},
		{`owner.name = "Li" and owner exists`, false}, // an object is no value
		{`owner.name exists and not owner.age exists`, true},
		{`类别 = "售后"`, true},
		{`created_at >= "2026-03-01" and created_at < "2026-03-02"`, true},
		{`missing = "x"`, false},
		{`missing != "x"`, true},
		{`missing < 3 or missing >= 3`, false},
		{`meta.type = "x" and type = "code"`, true},
		{`heading exists and not language exists and not symbols exists`, true},
		{`category = "x" or category = "after_sales" and ratio = 5e-1`, true},
		{`(category = "x" or category = "after_sales") and ratio = 1`, false},
		{`not not version = 2`, true},
	} {
		f, err := ParseFilter(c.filter)
		if err != nil {
			t.Errorf("%s: %v", c.filter, err)
			continue
		}
		if got := f.Match(&sample); got != c.want {
			t.Errorf("%s: got %v", c.filter, got)
		}
		// What it prints means the same, and what went through JSON too.
		again, err := ParseFilter(f.String())
		if err != nil || again.String() != f.String() {
			t.Errorf("%s prints as %s, which reads as %v, %v", c.filter, f, again, err)
		}
		b, _ := json.Marshal(sample)
		var stored chunker.Chunk
		if err := json.Unmarshal(b, &stored); err != nil || f.Match(&stored) != c.want {
			t.Errorf("%s: differs after a trip through JSON: %v", c.filter, err)
		}
	}
}

func TestFilterErrors(t *testing.T) {
	for _, c := range []struct{ filter, reason string }{
		{``, "a field is missing"},
		{`category`, "a comparison is missing"},
		{`category =`, "a value is missing"},
		{`category = after_sales`, "no value"},
		{`category = "x`, "no end"},
		{`category ~ "x"`, "no comparison"},
		{`category = "x" version = 2`, "version is not expected"},
		{`(category = "x"`, "a ) is missing"},
		{`category in "x"`, "in wants a list"},
		{`category in ("x" "y")`, "a ) is missing"},
		{`tokens = "9"`, "tokens is a number"},
		{`type = 9`, "type is text"},
		{`version ^= 9`, "wants a string"},
		{`= 3`, "no field"},
		{`a = NaN`, "no value"},
		{strings.Repeat("(", 1000) + `a = 1`, "too deep"},
		{strings.Repeat("not ", 1000) + `a = 1`, "too deep"},
	} {
		f, err := ParseFilter(c.filter)
		var bad *FilterError
		if !errors.As(err, &bad) {
			t.Errorf("%.40s: got %v, %v", c.filter, f, err)
		} else if !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%.40s: %v, want %s", c.filter, err, c.reason)
		}
	}
}

func TestFilterValues(t *testing.T) {
	for _, c := range []struct {
		filter Filter
		want   string // as it prints once resolved, or the error
	}{
		{Compare{"version", Equal, 2}, `version = 2`},
		{Compare{"version", Equal, float32(.5)}, `version = 0.5`},
		{And{Compare{"author", Exists, nil}, Not{Or{Compare{"size", Less, uint16(7)}}}}, `author exists and (not (size < 7))`},
		{Compare{"day", AtLeast, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}, `day >= "2026-03-01T00:00:00Z"`},
		{Compare{"version", Equal, nil}, `filter version =: a value is missing`},
		{Compare{"tags", Equal, []string{"a"}}, `filter tags = [a]: a value is a string, a number or a bool, and no []string`},
		{Compare{"version", "!=", 2}, `filter version != 2: != is no comparison: want one of [= < <= > >= ^= $= *= exists]`},
		{Compare{"version", Exists, 2}, `filter version exists 2: exists takes no value`},
		{Not{nil}, `a filter of type <nil> is not known`},
	} {
		q, err := Query{Text: "x", Where: c.filter}.Resolve()
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = q.Where.String()
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	f.Add(`a = "x" and not (b in (1, true) or c exists)`)
	f.Add(`a ^= '\'' or 类 *= "\\"`)
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := ParseFilter(text)
		if err != nil {
			return
		}
		again, err := ParseFilter(filter.String())
		if err != nil || again.String() != filter.String() {
			t.Fatalf("%q prints as %q, which reads as %v, %v", text, filter, again, err)
		}
		filter.Match(&sample)
	})
}
