// Package command is the command cantle: flags, files, progress, exit codes. It
// is apart from its main so that a program with more in it can be made of it.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFine   = 0
	exitFailed = 1 // some input failed, the rest is done
	exitMisuse = 2 // nothing was done
)

// errFailed says that some input failed and has been reported. It is returned
// as it is, never joined with another error or wrapped around one, which would
// not be reported then.
var errFailed = errors.New("some input failed")

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// Run does what args say and returns the exit code. An interrupt ends it.
func Run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends the process at once
	stdout := &checkedWriter{Writer: out}
	cmd := newRoot(streams{in, stdout, errs})
	cmd.SetArgs(args)
	err := finish(cmd.ExecuteContext(ctx), stdout.error)
	var m misuse
	switch {
	case err == nil:
		return exitFine
	case err == errFailed:
		return exitFailed
	case errors.As(err, &m):
		fmt.Fprintf(errs, "cantle: %v\n", err)
		return exitMisuse
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "cantle: interrupted")
	default:
		fmt.Fprintf(errs, "cantle: %v\n", err)
	}
	return exitFailed
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "cantle COMMAND",
		Short:         "Cut documents and source code into chunks for retrieval",
		Long:          "cantle cuts documents and source code into chunks for retrieval: along headings, definitions, rows and\nsentences, none over the limit, none without its section path, nothing lost.",
		Example:       "  cantle chunk docs > chunks.jsonl\n  cantle chunk --max-tokens 256 --encoding o200k_base README.md\n  cantle tree README.md",
		Version:       version(),
		SilenceErrors: true,

		SuggestionsMinimumDistance: 2,

		DisableFlagsInUseLine: true,
		SilenceUsage:          true,
		Args:                  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetUsageFunc(usage)
	root.SetVersionTemplate("cantle {{.Version}}\n")
	root.AddCommand(newChunk(s), newTree(s), newView(s), newVerify(s), newStats(s), newDiff(s), newFormats(s), newPresets(s), newEval(s), newIngest(s), newSearch(s), newScan(s), newPipe(s), newVersion(s))
	explainMisuse(root)
	explainHelp(root)
	return root
}
