// Command cantle is the command of that name, with stores on Milvus servers too.
package main

import (
	"os"

	"github.com/cantle/cantle/internal/command"
	"github.com/cantle/cantle/store/milvus"
)

func main() {
	command.AddStore("milvus", "milvus://HOST:PORT/NAME", milvus.Open)
	command.AddStore("milvuss", "", milvus.Open)
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
