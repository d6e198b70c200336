// Package tokens counts tokens exactly as a model's own tokenizer does, fast
// enough that a chunker can ask all the time.
//
// Get returns an encoding by name: one of OpenAI's ("cl100k_base"), a model
// ("gpt-4o"), the path of a Hugging Face tokenizer.json, or "chars" or "words"
// for those who measure in characters or words. Nothing is loaded before it is
// asked for, nothing is read from the network, and each is loaded once.
//
// In OpenAI's encodings text that looks like a special token ("<|endoftext|>") is
// text: it is counted as its characters, since documents are data, not prompts.
// In a tokenizer.json the file decides: its added tokens are found in text as the
// tokenizers library finds them. The tokens that the model puts around every text
// are not counted; see Framer.
//
// Counts do not add up: Count(a+b) is in general not Count(a)+Count(b), because a
// token may lie across the cut. Mark tells where the tokens of a whole document
// start, so that a caller can size any span of it by subtraction, and need count
// exactly only what it emits.
//
// An encoding holds its vocabulary, 16 MB for cl100k_base and 32 for o200k_base,
// and for each call that runs at the same time 5 MB, which remember the pieces
// of text met lately. Counting takes time in proportion to the text, whatever it is.
package tokens
