package tokens

// An Encoding counts the tokens of text. All methods may be called from many
// goroutines at once.
//
// A byte that is not part of valid UTF-8 is counted as U+FFFD, the replacement
// character, would be.
type Encoding interface {
	// Name is the encoding's own name, such as "cl100k_base", also where it was
	// asked for by the name of a model; for a tokenizer.json, its path.
	Name() string

	// Count returns the number of tokens of text.
	Count(text string) int

	// CountUntil returns Count(text) if that is at most limit, else limit+1, and
	// does not go on counting then. A negative limit is taken as 0.
	CountUntil(text string, limit int) int

	// Mark sets the bit i of bits, bits[i/64]&(1<<(i%64)), for every byte offset i
	// of text at which a token starts, whether or not a rune starts there. It clears
	// none. bits holds at least (len(text)+63)/64 words.
	//
	// The number of bits set is Count(text), except where several tokens start at
	// one byte: the three bytes of a replacement character that stands for one
	// invalid byte, or a character that the tokenizer's normalisation makes longer.
	Mark(text string, bits []uint64)
}

// An Encoder is an Encoding whose tokens have numbers: all but "chars" and "words".
type Encoder interface {
	Encoding

	// Encode returns the tokens of text.
	Encode(text string) []int
}

// A Coder can also go back. OpenAI's encodings can; those of a tokenizer.json
// cannot, since normalisation loses text.
type Coder interface {
	Encoder

	// Decode returns the text of tokens. It skips numbers that stand for no token.
	// The result is not valid UTF-8 where a token holds part of a rune.
	Decode(ids []int) string
}

// A Piecer is an Encoding that works on pieces of text, each by itself, and ends
// a piece behind line ends at the latest. So the tokens of a part of a text that
// starts with a piece are those of its pieces, up to the last one, which is to be
// counted by itself where the part ends within it; and text behind a blank line
// has the tokens that it has alone, unless it starts with "/", which o200k takes
// along with line ends. That saves counting parts anew.
type Piecer interface {
	Encoding

	// MarkPieces does what Mark does and sets the bits in pieces at which a piece
	// starts. It reports false, and marks nothing, where that does not hold of
	// this encoding or this text.
	MarkPieces(text string, bits, pieces []uint64) bool
}

// A Framer is an Encoding whose model puts tokens of its own around each text,
// such as BERT's [CLS] and [SEP]. Count leaves them out. They do count in the
// limit of an embedding model: use Frame to lower it.
type Framer interface {
	Encoding

	// Frame returns the number of tokens that are put around one text.
	Frame() int
}
