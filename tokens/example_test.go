package tokens_test

import (
	"fmt"
	"math/bits"

	"github.com/cantle/cantle/tokens"
)

func ExampleGet() {
	e, err := tokens.Get("text-embedding-3-small")
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Name(), e.Count("Counting tokens, 数一数。"))
	fmt.Println(e.CountUntil("Counting tokens, 数一数。", 3))
	// Output:
	// cl100k_base 8
	// 4
}

// Mark sizes any part of a text without counting it again.
func ExampleEncoding_mark() {
	e, err := tokens.Get("o200k_base")
	if err != nil {
		panic(err)
	}
	text := "The harbour office opens at eight."
	starts := make([]uint64, (len(text)+63)/64)
	e.Mark(text, starts)
	fmt.Println("all:", bits.OnesCount64(starts[0]))
	fmt.Println("the first 18 bytes:", bits.OnesCount64(starts[0]&(1<<18-1)))
	// Output:
	// all: 7
	// the first 18 bytes: 3
}
