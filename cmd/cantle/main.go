// Command cantle cuts documents and source code into chunks for retrieval.
package main

import (
	"os"

	"github.com/cantle/cantle/internal/command"
)

func main() { os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
