package tokens

import (
	"strings"
	"testing"
)

// FuzzTiktoken compares with tiktoken-go. Runs long enough to make it slow, and
// runes it does not know yet, are left out.
func FuzzTiktoken(f *testing.F) {
	for _, s := range []string{"", "it's  a\n\n test", "x\u0301Y'll 1234\r\n//", "\u3000中文 ABcd", "a\xff\xe4\xb8", "<|endoftext|>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 || strings.ContainsFunc(text, isNew) {
			return
		}
		for _, name := range distinctNames {
			check(t, coder(t, name), oracle(t, name), text)
		}
	})
}
