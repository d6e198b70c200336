package stats

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/cantle/cantle/records"
)

// Near-duplicates are found by MinHash with banding. Of the sets of sequences
// of three words of two chunks, the share in common is the chance that a hash
// function takes its least value on the same sequence. There are 64 functions;
// chunks that agree on all 8 of one of 8 bands are compared.
//
// The known Go packages for it were last changed in 2017 and 2019, and what
// is needed of them is what stands here.
const (
	functions = 64
	bands     = 8
	rows      = functions / bands
	sequence  = 3 // words; runes in scripts without blanks between words
	keepPairs = 20
)

// A signature keeps 16 bits of the least value of each function: two different
// ones agree by chance once in 65,536.
type signature [functions]uint16

type near struct {
	similar    float64
	factors    [functions]uint64
	signatures []signature
	names      []string // of the chunks kept, for pairs
	buckets    [bands]map[uint64]int32
	found      int
	pairs      []Pair
}

func newNear(similar float64) *near {
	n := &near{similar: similar}
	x := uint64(0x9e3779b97f4a7c15)
	for i := range n.factors {
		n.factors[i] = mix(x*uint64(i+1)) | 1
	}
	for i := range n.buckets {
		n.buckets[i] = map[uint64]int32{}
	}
	return n
}

// mix is the finalizer of SplitMix64: it spreads every bit over all.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash is FNV-1a: the same in every run, so that reports are.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// add looks for a chunk before r that is nearly the same.
func (n *near) add(r *records.Record) {
	sig, ok := n.signature(r.Text)
	if !ok {
		return
	}
	name := r.ID
	if name == "" {
		name = "line " + strconv.Itoa(r.Line)
	}
	var keys [bands]uint64
	best, share := int32(-1), 0.0
	for b := range bands {
		h := uint64(b)
		for _, v := range sig[b*rows : (b+1)*rows] {
			h = mix(h<<16 ^ h>>48 ^ uint64(v))
		}
		keys[b] = h
		if i, ok := n.buckets[b][h]; ok && i != best {
			if s := sig.common(&n.signatures[i]); s > share {
				best, share = i, s
			}
		}
	}
	if best >= 0 && share >= n.similar {
		n.found++
		if len(n.pairs) < keepPairs {
			n.pairs = append(n.pairs, Pair{n.names[best], name, share})
		}
		return // what is like it is like the first one
	}
	i := int32(len(n.signatures))
	n.signatures = append(n.signatures, sig)
	n.names = append(n.names, name)
	for b, key := range keys {
		if _, ok := n.buckets[b][key]; !ok {
			n.buckets[b][key] = i
		}
	}
}

func (s *signature) common(t *signature) float64 {
	n := 0
	for i := range s {
		if s[i] == t[i] {
			n++
		}
	}
	return float64(n) / functions
}

// signature returns the signature of a text, or false where it has fewer words
// than a sequence.
func (n *near) signature(text string) (sig signature, ok bool) {
	var least [functions]uint64
	for i := range least {
		least[i] = math.MaxUint64
	}
	var last [sequence]uint64
	count := 0
	words(text, func(word string) {
		copy(last[:], last[1:])
		last[sequence-1] = hash(word)
		if count++; count < sequence {
			return
		}
		h := last[0]
		for _, w := range last[1:] {
			h = mix(h ^ w)
		}
		for i, f := range n.factors {
			if v := mix(h * f); v < least[i] {
				least[i] = v
			}
		}
	})
	for i, v := range least {
		sig[i] = uint16(v)
	}
	return sig, count >= sequence
}

// words calls use with each word in lower case, and with each rune of a script
// that has no blanks between words.
func words(text string, use func(string)) {
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		field = strings.ToLower(field)
		start := 0
		for i, r := range field {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				if start < i {
					use(field[start:i])
				}
				start = i + len(string(r))
				use(field[i:start])
			}
		}
		if start < len(field) {
			use(field[start:])
		}
	}
}
