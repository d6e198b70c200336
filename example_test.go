package cantle_test

import (
	"context"
	"fmt"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/chunker"
)

func ExampleChunk() {
	page := `# Deploy

Two things listen.

## Ports

| name | port |
|------|------|
| web  | 80   |
| db   | 5432 |
| mail | 25   |
`
	chunks, err := cantle.Chunk(context.Background(), "deploy.md", []byte(page), cantle.Options{
		Cut: chunker.Options{Max: 30},
	})
	if err != nil {
		panic(err)
	}
	for _, c := range chunks {
		fmt.Printf("-- %s (lines %d to %d, %d tokens)\n%s\n", c.Context, c.StartLine, c.EndLine, c.Tokens, c.Text)
	}
	// Output:
	// -- Deploy (lines 1 to 3, 9 tokens)
	// # Deploy
	//
	// Two things listen.
	// -- Deploy > Ports (lines 5 to 9, 25 tokens)
	// ## Ports
	//
	// | name | port |
	// |------|------|
	// | web  | 80   |
	// -- Deploy > Ports (lines 10 to 11, 29 tokens)
	// | name | port |
	// |------|------|
	// | db   | 5432 |
	// | mail | 25   |
}
