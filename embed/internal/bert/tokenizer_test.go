package bert

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestEncode(t *testing.T) {
	w, err := readTokenizer(newFolder().write(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text  string
		limit int
		want  []int
	}{
		{"", 10, []int{2, 3}},
		{"The BAKERY.", 10, []int{2, 4, 5, 6, 14, 3}},
		{"The BAKERY.", 6, []int{2, 4, 5, 6, 14, 3}},
		{"The BAKERY.", 5, []int{2, 4, 5, 6, 3}},
		{"The BAKERY.", 3, []int{2, 4, 3}},
		{"面包", 10, []int{2, 16, 17, 3}},
		{"glacier", 10, []int{2, 1, 3}},
	} {
		if got := w.encode(test.text, test.limit); !slices.Equal(got, test.want) {
			t.Errorf("%q up to %d: got %v, want %v", test.text, test.limit, got, test.want)
		}
	}
}

func TestFrame(t *testing.T) {
	for processor, want := range map[string][2][]int{
		`{"type":"BertProcessing","sep":["[SEP]",102],"cls":["[CLS]",101]}`: {{101}, {102}},
		`{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"</s>","type_id":0}}],
			"special_tokens":{"<s>":{"id":"<s>","ids":[0],"tokens":["<s>"]},"</s>":{"id":"</s>","ids":[2,5],"tokens":["</s>","x"]}}}`: {{0}, {2, 5}},
		`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{}}`: {nil, nil},
	} {
		var f frame
		if err := json.Unmarshal([]byte(processor), &f); err != nil {
			t.Fatal(err)
		}
		before, after, err := f.around()
		if err != nil || !slices.Equal(before, want[0]) || !slices.Equal(after, want[1]) {
			t.Errorf("%s: got %v, %v, %v", processor, before, after, err)
		}
	}
}
