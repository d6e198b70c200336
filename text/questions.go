package text

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cantle/cantle/ast"
)

// QuestionLevel is the Level of a Section that is a question and its answer. No
// heading and no clause has it.
const QuestionLevel = ast.QuestionLevel

// Questions finds questions with their answers and makes a Section of each, in
// place. It reports whether it found any. The section's Level is
// [QuestionLevel], its Name the question without marks, its Head the question
// as it stands.
//
//   - Q: and A:, Q1. and A1., Question and Answer, 问：and 答：, 问题：and 回答：, at
//     the start of lines: one pair is enough.
//   - A section whose heading is a question: it stays and gets its Level.
//   - Bold lines that ask, numbered lines that ask, <details> whose summary asks,
//     terms that ask: two in the document are enough.
//   - Plain lines that ask, with an answer below: three.
//
// The answer reaches to the next question, the next heading or rule, or the end
// of its item. A text in which some sentence asks something has no questions.
func Questions(d *ast.Document) bool {
	a := asker{src: d.Source}
	a.scope(d.Root, 0)
	return a.build()
}

// A strength says how plainly something is a question.
type strength uint8

const (
	asks    strength = iota // a line that ends with a question mark
	stands                  // that is bold or numbered, a heading, a summary, a term
	labeled                 // that says it is one and has an answer that says so
)

// A question is what begins a pair.
type question struct {
	scope    int
	child    int
	item     int // index among the children of a list, -1 for other blocks
	at, end  int // of the question in the text of the first leaf of the block
	name     string
	strength strength
	heading  *ast.Node // the section whose heading it is, which stays
	closed   bool      // its answer ends with its block or item
	answered bool      // labeled: its answer has been seen
}

// An asker finds the questions of a document.
type asker struct {
	src       []byte
	scopes    []*ast.Node
	questions []question
	pending   int // the labeled question that has no answer yet, -1 for none
}

// scope collects the questions of a section or the document.
func (a *asker) scope(n *ast.Node, depth int) {
	if depth > ast.MaxDepth-maxDeeper {
		return
	}
	here := len(a.scopes)
	a.scopes = append(a.scopes, n)
	a.pending = -1
	for i, c := range n.Children {
		switch {
		case c.Kind == ast.Section:
			if c.Level == QuestionLevel {
				continue
			}
			within, inner := len(a.questions), len(a.scopes)
			a.scope(c, depth+1)
			pairs := slices.ContainsFunc(a.questions[within:], func(q question) bool { return q.scope == inner && q.heading == nil })
			if isQuestion(c.Name) && !pairs && len(c.Children) > 1 {
				a.questions = append(a.questions, question{scope: here, child: i, item: -1, name: c.Name, strength: stands, heading: c})
			}
			a.pending = -1
		case n.Head.Contains(c.Span) && !n.Head.IsEmpty():
		case c.Kind == ast.Paragraph && c.IsLeaf():
			a.paragraph(here, i, c, i+1 < len(n.Children) && answers(n.Children[i+1]))
		case c.Kind == ast.List:
			a.items(here, i, c)
		case c.Kind == ast.Item || c.Kind == ast.Quote:
			if q, ok := a.summary(c); ok {
				q.scope, q.child, q.item, q.closed = here, i, -1, true
				a.questions = append(a.questions, q)
			}
		}
	}
}

// answers reports whether n can be an answer.
func answers(n *ast.Node) bool {
	return n.Kind != ast.Section && n.Kind != ast.Heading && n.Kind != ast.Markup && n.Kind != ast.Meta
}

var (
	questionMark = regexp.MustCompile(`^(?:(?:Q|Question|QUESTION|问题|問題|问|問|提问)\s*\d{0,3}\s*[:：]|(?:Q|Question|问题|问)\s*\d{1,3}\s*[.、)）]|Q\.\s|[【\[](?:问题|问|Q)\s*\d{0,3}[】\]])\s*`)
	answerMark   = regexp.MustCompile(`^(?:(?:A|Answer|ANSWER|回答|答案|答复|答)\s*\d{0,3}\s*[:：]|(?:A|Answer|答)\s*\d{1,3}\s*[.、)）]|A\.\s|[【\[](?:回答|答案|答|A)\s*\d{0,3}[】\]])`)
	summaryTag   = regexp.MustCompile(`(?is)^\s*<details[^>]*>\s*<summary[^>]*>(.{1,600}?)</summary>\s*`)
	anyTag       = regexp.MustCompile(`<[^<>]*>`)
)

const (
	maxQuestion = 300 // bytes of a question that is not labeled
	maxMark     = 32  // bytes of a label, blanks included
)

// isQuestion reports whether a line asks: one sentence with a question mark.
func isQuestion(s string) bool {
	s = strings.TrimRight(s, " \t\r\n*_\u3000")
	if len(s) > maxQuestion || len(s) < len("Why?") || !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "？") {
		return false
	}
	return !strings.ContainsAny(s[:len(s)-1], "\r\n。") && !strings.Contains(s, ". ") || parseLabel(s).size > 0
}

// paragraph adds the questions of a paragraph. followed says that something
// stands below it in its section.
func (a *asker) paragraph(scope, child int, leaf *ast.Node, followed bool) {
	text := textOf(a.src, leaf)
	if m := summaryTag.FindStringSubmatchIndex(text[:min(len(text), 1024)]); m != nil {
		if name := plainText(anyTag.ReplaceAllString(text[m[2]:m[3]], "")); isQuestion(name) {
			a.questions = append(a.questions, question{scope: scope, child: child, item: -1, end: m[1], name: name, strength: stands, closed: true})
		}
		return
	}
	for at := 0; at < len(text); {
		line := lineOf(text, at)
		next := at + len(line) + lineBreak(text[at+len(line):])
		a.line(scope, child, leaf, text, at, next, followed)
		at = next
	}
}

// line adds the question that begins on a line, or notes the answer.
func (a *asker) line(scope, child int, leaf *ast.Node, text string, at, next int, followed bool) {
	line := text[at:next]
	bare := strings.TrimLeft(line, blanks+"*_\\")
	start := at + len(line) - len(bare)
	mark := bare[:min(len(bare), maxMark)]
	placed := at == 0
	if !placed {
		_, placed = sourceAt(a.src, leaf, at)
	}
	switch {
	case !placed || strings.TrimSpace(line) == "":
	case a.pending >= 0 && isMark(mark, answerMark):
		q := &a.questions[a.pending]
		q.answered = true
		if q.scope == scope && q.child == child {
			q.end = at
		}
		a.pending = -1
	case isMark(mark, questionMark):
		a.pending = len(a.questions)
		a.questions = append(a.questions, question{scope: scope, child: child, item: -1, at: at, end: len(text), strength: labeled})
	case a.pending >= 0:
	case at > 0 && !a.isAsked(scope, child):
	default:
		asked := strings.TrimRight(bare, "\r\n")
		if i := boldEnd(text[at:start], bare); i > 0 {
			asked, next = bare[:i], start+i
		}
		if !isQuestion(asked) {
			return
		}
		q := question{scope: scope, child: child, item: -1, at: at, end: next, name: a.name(asked)}
		if marks := text[at:start]; strings.Contains(marks, "**") || strings.Contains(marks, "__") || parseLabel(bare).size > 0 {
			q.strength = stands
		}
		if next < len(text) || followed {
			a.questions = append(a.questions, q)
		}
	}
}

// isMark reports whether pattern, one of the two marks, matches s. Few letters
// begin one.
func isMark(s string, pattern *regexp.Regexp) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("QA问問提答回【[", r) && pattern.MatchString(s)
}

// boldEnd returns the length of the question that s begins with, where marks
// open bold type before it and it ends with the bold type: "Why?** Because."
func boldEnd(marks, s string) int {
	open := strings.TrimSpace(marks)
	if open != "**" && open != "__" {
		return 0
	}
	i := strings.Index(s[:min(len(s), maxQuestion)], open)
	if i < 0 || !isQuestion(s[:i]) {
		return 0
	}
	i += len(open)
	return i + len(s[i:]) - len(strings.TrimLeft(s[i:], blanks))
}

// isAsked reports whether the last question is in that block: a line within a
// paragraph can be a question only where the paragraph began with one.
func (a *asker) isAsked(scope, child int) bool {
	k := len(a.questions) - 1
	return k >= 0 && a.questions[k].scope == scope && a.questions[k].child == child
}

// name returns a question in plain: without label, number and marks.
func (a *asker) name(s string) string {
	s = strings.TrimLeft(s, " \t\r\n*_\\\u3000#")
	if m := questionMark.FindStringIndex(s[:min(len(s), maxMark)]); m != nil {
		s = s[m[1]:]
	} else if l := parseLabel(s); l.size > 0 && !l.word {
		s = s[l.size:]
	}
	return plainText(s)
}

// plainText joins blanks and leaves out marks of emphasis at both ends.
func plainText(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.ToValidUTF8(strings.Trim(strings.ReplaceAll(s, "**", ""), "*_ "), "")
}

// items adds the questions of a list of which each item is one with its answer.
func (a *asker) items(scope, child int, list *ast.Node) {
	from := len(a.questions)
	for i, item := range list.Children {
		if list.Head.Contains(item.Span) && !list.Head.IsEmpty() || item.Kind == ast.Markup {
			continue
		}
		q, ok := a.summary(item)
		if !ok || item.Kind != ast.Item {
			a.questions = a.questions[:from]
			return
		}
		q.scope, q.child, q.item, q.closed = scope, child, i, true
		a.questions = append(a.questions, q)
	}
	if !list.Head.IsEmpty() {
		a.questions = a.questions[:from]
	}
}

// summary returns the question that an item begins with, and that something
// follows.
func (a *asker) summary(item *ast.Node) (question, bool) {
	leaf, around := firstLeaf(item)
	if leaf == nil || len(around) > 1 {
		return question{}, false
	}
	text := textOf(a.src, leaf)
	if len(text) > 4096 && item.IsLeaf() {
		text = text[:4096]
	}
	q := question{strength: stands}
	if m := summaryTag.FindStringSubmatchIndex(text[:min(len(text), 1024)]); m != nil {
		q.name, q.end = plainText(anyTag.ReplaceAllString(text[m[2]:m[3]], "")), m[1]
		if q.end < len(text) && isBlankText(text[q.end:]) {
			q.end = len(text)
		}
	} else {
		at := len(text) - len(strings.TrimLeft(text, blanks))
		body := text[at:]
		body = strings.TrimLeft(body, "-+*: ")
		if l := parseLabel(body); l.size > 0 && !l.word {
			body = strings.TrimLeft(body[l.size:], " ")
		}
		begin := len(text) - len(body)
		line := lineOf(text, begin)
		if bare := strings.TrimLeft(line, "*_"); boldEnd(line[:len(line)-len(bare)], bare) > 0 {
			line = line[:len(line)-len(bare)+boldEnd(line[:len(line)-len(bare)], bare)]
		}
		q.name, q.end = a.name(line), begin+len(line)
		q.end += lineBreak(text[q.end:])
		if isBlankText(text[q.end:]) {
			q.end = len(text)
		}
	}
	return q, isQuestion(q.name) && (q.end < len(text) && item.IsLeaf() || len(item.Children) > 1 || q.end < len(text))
}

// build makes sections of the questions. It reports whether these are
// convincing.
func (a *asker) build() bool {
	strong, weak, answered := 0, 0, 0
	for _, q := range a.questions {
		switch {
		case q.strength == stands:
			strong++
		case q.strength == labeled && q.answered:
			answered++
		case q.strength == asks:
			weak++
		}
	}
	total := answered + strong
	kept := make([][]question, len(a.scopes))
	any := false
	for _, q := range a.questions {
		switch {
		case q.strength == labeled && answered == 0,
			q.strength == stands && total < 2,
			q.strength == asks && weak < 3 && total < 2:
		default:
			kept[q.scope] = append(kept[q.scope], q)
			any = true
		}
	}
	for i, questions := range kept {
		if len(questions) > 0 {
			a.rebuild(a.scopes[i], questions)
		}
	}
	return any
}

// rebuild makes the children of a scope anew, with the sections of questions.
func (a *asker) rebuild(scope *ast.Node, questions []question) {
	var children []*ast.Node
	var open *ast.Node // the section at hand
	add := func(n *ast.Node) {
		if open != nil && answers(n) {
			open.Children = append(open.Children, n)
			open.Span.End = n.Span.End
			return
		}
		open = nil
		children = append(children, n)
	}
	begin := func(q question, front *ast.Node) {
		front.Kind, front.Level = ast.Heading, QuestionLevel
		open = &ast.Node{Kind: ast.Section, Level: QuestionLevel, Name: q.name, Span: front.Span, Head: front.Span, Lead: front.Span, Children: []*ast.Node{front}}
		children = append(children, open)
	}
	for i, child := range scope.Children {
		n := 0
		for n < len(questions) && questions[n].child == i {
			n++
		}
		here := questions[:n]
		questions = questions[n:]
		switch {
		case n == 0:
			add(child)
		case here[0].heading != nil:
			child.Level = QuestionLevel
			add(child)
		case child.Kind == ast.Paragraph && child.IsLeaf():
			a.pieces(child, here, add, begin)
			if here[n-1].closed {
				open = nil
			}
		case here[0].item < 0:
			a.pair(child, here[0], add, begin)
			open = nil
		default:
			for k, item := range child.Children {
				at := slices.IndexFunc(here, func(q question) bool { return q.item == k })
				if at < 0 {
					add(item)
					continue
				}
				here = here[at:]
				a.pair(item, here[0], add, begin)
			}
			open = nil
		}
	}
	scope.Children = children
}

// pair makes a section of a block or an item that begins with its question.
func (a *asker) pair(block *ast.Node, q question, add func(*ast.Node), begin func(question, *ast.Node)) {
	front, rest := behead(a.src, block, q.end)
	begin(q, front)
	switch {
	case rest == nil:
	case rest.IsLeaf() || rest.Kind == ast.Quote:
		if rest.IsLeaf() {
			rest.Kind = ast.Paragraph
		}
		add(rest)
	default:
		for _, child := range rest.Children {
			add(child)
		}
	}
}

// pieces cuts a paragraph at its questions and their answers.
func (a *asker) pieces(leaf *ast.Node, questions []question, add func(*ast.Node), begin func(question, *ast.Node)) {
	size := len(textOf(a.src, leaf))
	text := textOf(a.src, leaf)
	var cuts []int
	var starts []int // of the piece that is question i
	for i := range questions {
		q := &questions[i]
		limit := size
		if i+1 < len(questions) {
			limit = questions[i+1].at
		}
		q.end = min(q.end, limit)
		if q.strength == labeled {
			q.name = a.name(text[q.at:q.end])
		}
		if isBlankText(text[q.end:limit]) {
			q.end = limit
		}
		if q.at > 0 && (len(cuts) == 0 || cuts[len(cuts)-1] < q.at) {
			cuts = append(cuts, q.at)
		}
		starts = append(starts, len(cuts))
		if q.end < limit {
			if _, ok := sourceAt(a.src, leaf, q.end); ok {
				cuts = append(cuts, q.end)
			}
		}
	}
	for i, p := range cut(a.src, leaf, cuts) {
		if len(starts) > 0 && starts[0] == i {
			begin(questions[0], p)
			starts, questions = starts[1:], questions[1:]
			continue
		}
		add(p)
	}
}
