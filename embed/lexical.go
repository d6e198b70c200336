package embed

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc64"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lexical is an Embedder without a model: texts are alike as far as they share
// words. The zero value is ready to use.
//
// A text becomes the bag of its words, folded in case and without English
// endings, and of the single characters and pairs of neighbours where a script
// writes no spaces. Words that carry grammar weigh nothing. A term found n times
// weighs 1+ln(n), and is added to a place of the vector, and with a sign, that
// its hash gives: two different terms then share a place now and then, but as
// often lower as raise the product of two texts.
//
// It sees no synonyms. One sentence is little to go by, so compare windows of
// several sentences.
type Lexical struct {
	Size int // floats of a vector; 0 is 2048. In fewer, more terms meet that have nothing in common.

	rarity map[uint64]float64 // weight of a term by how few texts hold it; nil: all weigh 1
	unseen float64            // the weight of terms that are not in rarity
	fit    uint64             // what rarity was learnt from, for Name
}

const defaultLexicalSize = 2048

// FitLexical returns a Lexical of that size that weighs terms by their inverse
// frequency in texts: what most of them hold tells them apart little. Its Name
// depends on texts, because its vectors do.
func FitLexical(size int, texts []string) *Lexical {
	l := &Lexical{Size: size, rarity: map[uint64]float64{}}
	sum := crc64.New(crcTable)
	for _, text := range texts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(text)))
		sum.Write(n[:])
		sum.Write([]byte(text))
		for _, t := range slices.Compact(sortedTerms(text)) {
			l.rarity[t.hash]++
		}
	}
	l.fit = sum.Sum64()
	all := float64(len(texts) + 1)
	for h, holding := range l.rarity {
		l.rarity[h] = math.Log(all/(holding+1)) + 1
	}
	l.unseen = math.Log(all) + 1
	return l
}

var crcTable = crc64.MakeTable(crc64.ECMA)

// Dim returns Size, or the default.
func (l *Lexical) Dim() int {
	if l.Size <= 0 {
		return defaultLexicalSize
	}
	return l.Size
}

// Name is "lexical", the dimension, and for a fitted one what it was fitted to.
func (l *Lexical) Name() string {
	if l.rarity == nil {
		return fmt.Sprintf("lexical-%d", l.Dim())
	}
	return fmt.Sprintf("lexical-%d-%016x", l.Dim(), l.fit)
}

// Embed fails only when ctx is done.
func (l *Lexical) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = l.vector(text)
	}
	return vectors, nil
}

func (l *Lexical) vector(text string) []float32 {
	v := make([]float32, l.Dim())
	terms := sortedTerms(text)
	for len(terms) > 0 {
		t, n := terms[0], 1
		for n < len(terms) && terms[n] == t {
			n++
		}
		terms = terms[n:]
		weight := t.weight * (1 + math.Log(float64(n)))
		if l.rarity != nil {
			if r, ok := l.rarity[t.hash]; ok {
				weight *= r
			} else {
				weight *= l.unseen
			}
		}
		if t.hash>>63 != 0 {
			weight = -weight
		}
		v[t.hash%uint64(len(v))] += float32(weight)
	}
	normalize(v)
	return v
}

// A term is a word, or one or two characters of a script without spaces.
type term struct {
	hash   uint64
	weight float64 // before it is known how often and where it occurs
}

// sortedTerms returns the terms of text that weigh something, equal ones next
// to each other: their order must not depend on anything but the text, since
// sums of floats do.
func sortedTerms(text string) []term {
	var terms []term
	eachTerm(text, func(s string, weight float64) {
		if weight > 0 {
			terms = append(terms, term{hashTerm(s), weight})
		}
	})
	slices.SortFunc(terms, func(a, b term) int {
		switch {
		case a.hash < b.hash:
			return -1
		case a.hash > b.hash:
			return 1
		}
		return 0
	})
	return terms
}

// hashTerm is FNV-1a with a last mix, without which short terms would differ
// little in the high bits, where the sign is.
func hashTerm(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Weights. A pair of characters is about a word; a character alone says less.
const (
	wordWeight        = 1.0
	pairWeight        = 1.0
	grammarPairWeight = 0.25 // a pair of which one character is mostly grammar
	characterWeight   = 0.5
)

// eachTerm calls f with each term of text.
func eachTerm(text string, f func(s string, weight float64)) {
	last := rune(-1) // the character right before, in a script without spaces
	lastAt := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isUnspaced(r):
			weight := characterWeight
			if isGrammar(r) {
				weight = 0
			}
			f(text[i:i+size], weight)
			if last >= 0 {
				weight := pairWeight
				if isGrammar(last) || isGrammar(r) {
					weight = grammarPairWeight
				}
				f(text[lastAt:i+size], weight)
			}
			last, lastAt = r, i
			i += size
		case isWordRune(r):
			end := wordEnd(text, i)
			word := stem(strings.ToLower(text[i:end]))
			if !stopWords[word] {
				f(word, wordWeight)
			}
			last = -1
			i = end
		default:
			last = -1
			i += size
		}
	}
}

// wordEnd returns where the word that starts at i ends. An apostrophe between
// letters belongs to it.
func wordEnd(text string, i int) int {
	apostrophe := 0 // bytes of one just passed
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWordRune(r) && !isUnspaced(r):
			apostrophe = 0
		case (r == '\'' || r == '’') && apostrophe == 0:
			apostrophe = size
		default:
			return i - apostrophe
		}
		i += size
	}
	return i - apostrophe
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// unspaced are the scripts that put no spaces between words, and Hangul, where
// what stands between spaces is a word with its particles.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func isUnspaced(r rune) bool {
	return r >= 0x0e00 && (r == 'ー' || unicode.In(r, unspaced...)) && isWordRune(r)
}

// isGrammar reports whether r is a Chinese character that is mostly grammar, or
// a Hiragana, of which particles and endings are made.
func isGrammar(r rune) bool {
	return r >= 0x3041 && r <= 0x309f || strings.ContainsRune(grammarCharacters, r)
}

const grammarCharacters = "的了是在和与與也就都而及或这這那之于於以其为為被把将將从從对對所它他她们們我你您但并並则則若如且又很不没沒有个個些此该該使让讓可"

// stem takes the commonest endings off an English word in lower case, enough for
// plural and singular, and the forms of most verbs, to meet.
func stem(word string) string {
	for _, possessive := range []string{"'s", "’s"} {
		word = strings.TrimSuffix(word, possessive)
	}
	if len(word) < 4 {
		return word
	}
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "xes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s"):
		word = word[:len(word)-1]
	}
	for _, ending := range []string{"ing", "ed"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			if n := len(rest); rest[n-1] == rest[n-2] && !strings.ContainsRune("lsz", rune(rest[n-1])) {
				rest = rest[:n-1] // stopped, planning
			}
			word = rest
			break
		}
	}
	return strings.TrimSuffix(word, "e") // stored and store, use and using
}

// stopWords are English words that carry grammar rather than a topic, stemmed
// as the words of a text are.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`
		a about above after again against all also am an and any are as at be because been before being below
		between both but by can cannot could did do does doing down during each either every few for from further
		had has have having he her here hers him his how however i if in into is it its itself just like may me might
		more most much must my neither no nor not now of off on once one only onto or other our out over own per same
		she should since so some such than that the their them then there therefore these they this those though
		through thus to too under until up upon us very was we were what when where whether which while who whom whose
		why will with within without would yet you your
		isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't it's that's there's`) {
		words[stem(w)] = true
		words[stem(strings.ReplaceAll(w, "'", "’"))] = true
	}
	return words
}()
