package segment

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
)

// Words appends the ends of text's words to dst: those of UAX #29, each with the
// brackets, quotes and signs that open it and the marks and blanks that follow
// it, so that no word but the first begins with a blank, a closing mark, a comma
// or a stop. Han and Hiragana are cut by the character, except that a number keeps
// the 第 before it and the unit after it, as in 第3条 and 5分钟.
func Words(dst []int, text string) []int {
	w := wording{dst: dst, text: text, clusters: graphemes.FromString(text)}
	for t := words.FromString(text); t.Next(); {
		w.token(t.Start(), t.End())
	}
	return closeAll(w.dst, text)
}

// wording is one pass over the tokens of a text.
type wording struct {
	dst      []int
	text     string
	clusters *graphemes.Iterator[string]
	begun    bool // a token that is not blank was read: leading blanks are no word
	whole    bool // the word being read has its letters, or blanks that end it
	spaced   bool // the token before was blank
	hold     int  // the word being read goes on to this offset at least
}

// token takes in the token [i, end).
func (w *wording) token(i, end int) {
	spaced := w.spaced
	w.spaced = false
	m := w.mark(i, end)
	if m == blank || m == newline {
		w.spaced = true
		w.whole = w.begun
		return
	}
	w.begun = true
	switch m {
	case opening:
		w.begin(i)
	case letter:
		w.begin(i)
		w.whole = true
		if isDigit(runeBefore(w.text, end)) {
			w.hold = end + hanUnit(w.text, end)
		}
	case quote, emphasis, symbol:
		if spaced {
			w.begin(i)
		}
	case closing, pause, stop:
		if spaced {
			w.whole = false // .NET must not begin a word, nor be cut after its point
		}
	}
}

// begin cuts before the token at i, if the word being read may end there.
func (w *wording) begin(i int) {
	if !w.whole || i < w.hold {
		return
	}
	for w.clusters.End() < i && w.clusters.Next() {
	}
	if w.clusters.End() == i {
		w.dst = append(w.dst, i)
		w.whole = false
	}
}

// mark returns how the token [i, end) stands to the words beside it.
func (w *wording) mark(i, end int) mark {
	r, n := utf8.DecodeRuneInString(w.text[i:])
	digitNext := isDigit(runeAt(w.text, end))
	switch m := markOf(r); {
	case (r == '第' || unicode.Is(unicode.Sc, r)) && digitNext:
		return opening
	case r == '_' && end > i+n: // __init__
		return letter
	case m == letter && unicode.IsPunct(r): // a dash, a dot, another script's mark
		return symbol
	default:
		return m
	}
}

// hanUnit returns the length in bytes of the unit of measure that begins with the
// Han character at i: multipliers, then a known unit of two characters or any of one.
func hanUnit(text string, i int) int {
	j := i
	for {
		r := runeAt(text, j)
		if r != '十' && r != '百' && r != '千' && r != '万' && r != '亿' {
			break
		}
		j += utf8.RuneLen(r)
	}
	const han = len("元")
	if j+2*han <= len(text) {
		switch text[j : j+2*han] {
		case "分钟", "小时", "个月", "星期", "季度", "年度", "毫秒", "微秒", "纳秒", "秒钟",
			"公里", "公斤", "公顷", "公分", "厘米", "毫米", "千米", "微米", "纳米", "毫升", "千克", "平方", "立方",
			"美元", "欧元", "日元", "港元", "英镑", "字节", "比特", "年代", "世纪", "時間", "分間", "週間", "年間", "か月", "ヶ月":
			return j + 2*han - i
		}
	}
	if r := runeAt(text, j); isHan(r) {
		j += utf8.RuneLen(r)
	}
	return j - i
}
