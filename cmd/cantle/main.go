// Command cantle cuts documents and source code into chunks for retrieval.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
