package embed

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Three topics of four sentences each. Neighbours within a topic should be more
// alike than those across a change.
var topics = map[string][][]string{
	"en": {
		{
			"The bakery opens at six, when the first loaves leave the oven.",
			"A loaf of rye needs a hotter oven than a white loaf.",
			"The baker proves the dough overnight in a cool room.",
			"Dough that is proved too long makes a flat loaf.",
		}, {
			"A replica follows the leader by reading its log.",
			"When the leader fails, the replicas elect a new one among them.",
			"Replicas that lag behind the log cannot be elected.",
			"The log is cut where every replica has stored it.",
		}, {
			"The glacier has lost a third of its ice since the first survey.",
			"Surveyors measure the ice with radar from a plane.",
			"Melting ice feeds a lake at the foot of the glacier.",
			"If the lake breaks through the ice, the valley is flooded.",
		},
	},
	"zh": {
		{
			"面包房早上六点开门，第一炉面包刚刚出炉。",
			"黑麦面包需要的炉温比白面包高。",
			"面包师让面团在阴凉的房间里发酵一夜。",
			"面团发酵过久，面包就会塌。",
		}, {
			"副本通过读取日志来跟随主节点。",
			"主节点失效时，副本之间选举新的主节点。",
			"日志落后的副本不能参加选举。",
			"所有副本都已保存的日志可以截断。",
		}, {
			"自首次测量以来，冰川失去了三分之一的冰。",
			"测量人员在飞机上用雷达测量冰层厚度。",
			"冰川融化的水汇入山脚下的冰湖。",
			"冰湖一旦溃决，冰川下的山谷就会被淹没。",
		},
	},
}

// TestLexicalTopics compares windows of two sentences on either side of each
// border, and wants the two changes of topic to be the lowest.
func TestLexicalTopics(t *testing.T) {
	for language, parts := range topics {
		sentences := slices.Concat(parts...)
		for name, e := range map[string]Embedder{
			"plain":  &Lexical{},
			"fitted": FitLexical(0, sentences),
		} {
			similarity := windows(t, e, sentences)
			changes := max(similarity[4], similarity[8])
			for i, s := range similarity {
				if i%4 != 0 && s <= changes {
					t.Errorf("%s, %s: at %d %.3f, at the changes %.3f and %.3f", language, name, i, s, similarity[4], similarity[8])
				}
			}
		}
	}
}

// windows returns, by the number of the sentence after it, how alike the two
// sentences before a border and the two after it are.
func windows(t *testing.T, e Embedder, sentences []string) map[int]float64 {
	t.Helper()
	similarity := map[int]float64{}
	for i := 2; i <= len(sentences)-2; i++ {
		v, err := e.Embed(t.Context(), []string{
			strings.Join(sentences[i-2:i], " "), strings.Join(sentences[i:i+2], " "),
		})
		if err != nil {
			t.Fatal(err)
		}
		similarity[i] = Cosine(v[0], v[1])
	}
	return similarity
}

func TestLexicalAlike(t *testing.T) {
	for _, test := range []struct {
		a, b     string
		min, max float64
	}{
		{"The server stores the files.", "A SERVER is storing a file", 0.999, 1},
		{"stopped planning", "stop plan", 0.999, 1},
		{"cities’ policies", "city policy", 0.999, 1},
		{"don't and can't", "with about from", 0, 0}, // nothing but grammar
		{"", "server", 0, 0},
		{"\xff\xfe \x00", "server", 0, 0},
		{"数据库的备份", "备份数据库", 0.6, 0.99},
		{"server 数据库", "数据库 server", 0.999, 1},
		{"alpha beta gamma", "delta epsilon zeta", -0.2, 0.2},
		{"データベースを保存する", "データベースの保存", 0.5, 0.99},
		{"ไทยแลนด์", "ไทยแลนด์ เมือง", 0.4, 0.99},
	} {
		v, err := (&Lexical{}).Embed(t.Context(), []string{test.a, test.b})
		if err != nil {
			t.Fatal(err)
		}
		if got := Cosine(v[0], v[1]); got < test.min || got > test.max+1e-6 {
			t.Errorf("%q, %q: cosine %.4f, want %v to %v", test.a, test.b, got, test.min, test.max)
		}
	}
}

func TestLexicalVectors(t *testing.T) {
	text := strings.Join(slices.Concat(topics["en"]...), " ") + strings.Join(slices.Concat(topics["zh"]...), "")
	for _, e := range []Embedder{&Lexical{}, &Lexical{Size: 1}, FitLexical(300, []string{text, "another text"})} {
		a, _ := e.Embed(t.Context(), []string{text})
		b, _ := e.Embed(t.Context(), []string{"another", text})
		if !slices.Equal(a[0], b[1]) {
			t.Errorf("%s: a vector depends on what it is asked with", e.Name())
		}
		if len(a[0]) != e.Dim() {
			t.Errorf("%s: %d floats, want %d", e.Name(), len(a[0]), e.Dim())
		}
		var sum float64
		for _, x := range a[0] {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("%s: length %v", e.Name(), math.Sqrt(sum))
		}
	}
	if a, b := FitLexical(0, []string{"ab", "c"}).Name(), FitLexical(0, []string{"a", "bc"}).Name(); a == b {
		t.Errorf("fitted to different texts, one name: %s", a)
	}
}

// TestLexicalRarity wants the rare word to count for more than the common one.
func TestLexicalRarity(t *testing.T) {
	e := FitLexical(0, []string{"server oven", "server log", "server ice", "server file"})
	v, _ := e.Embed(t.Context(), []string{"server oven", "server ice", "oven file"})
	if common, rare := Cosine(v[0], v[1]), Cosine(v[0], v[2]); common >= rare {
		t.Errorf("sharing the common word gives %.3f, the rare one %.3f", common, rare)
	}
}

func FuzzLexical(f *testing.F) {
	f.Add("The baker’s loaf, 面团的发酵 and データ'")
	f.Add("'' a'b'' \xe4\xb8 ’")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := (&Lexical{Size: 64}).Embed(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for _, x := range v[0] {
			sum += float64(x) * float64(x)
		}
		if sum != 0 && math.Abs(sum-1) > 1e-4 {
			t.Errorf("length %v", math.Sqrt(sum))
		}
	})
}

func BenchmarkLexical(b *testing.B) {
	texts := slices.Concat(topics["en"]...)
	texts = append(texts, slices.Concat(topics["zh"]...)...)
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		(&Lexical{}).Embed(b.Context(), texts)
	}
}
