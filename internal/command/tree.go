package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/ast"
)

func newTree(s streams) *cobra.Command {
	var opt cantle.ParseOptions
	cmd := &cobra.Command{
		Use:     "tree FILE",
		Short:   "Show the tree of a document, as the tests' goldens do",
		Long:    "Show the tree of a document: a line a node with its bytes, what is repeated when it is cut (head, tail),\nits name, and the first words of what stands below nothing else. FILE may be - for standard input.",
		Example: "  cantle tree README.md",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkParse(opt); err != nil {
				return err
			}
			src, err := readFile(s, args[0])
			if err != nil {
				return misuse{fmt.Errorf("%s: %w", args[0], plain(err))}
			}
			doc, err := parse(args[0], src, isStream(args[0]), opt)
			if err != nil {
				return misuse{fmt.Errorf("%s: %w", args[0], err)}
			}
			doc.Expand()
			return ast.Dump(s.out, doc)
		},
	}
	cmd.Flags().StringVar(&opt.Format, "format", "", "format of the input, see 'cantle formats' (default: by name and content)")
	cmd.Flags().StringVar(&opt.Headings, "headings", "", "HTML headings: tags or auto")
	cmd.Flags().BoolVar(&opt.WholePage, "whole-page", false, "HTML: leave nothing out")
	cmd.Flags().BoolVar(&opt.Outputs, "outputs", false, "notebooks: take what cells have printed too")
	return cmd
}

// errFolder is the error of a folder where one file is wanted.
var errFolder = errors.New("is a folder: name a file")

// readFile reads a file, or standard input for "-".
func readFile(s streams, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(s.in)
	}
	src, err := os.ReadFile(name)
	if errors.Is(err, syscall.EISDIR) {
		err = errFolder
	}
	return src, err
}

func newFormats(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "List the formats and the names of their files",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, f := range cantle.Formats() {
				if _, err := fmt.Fprintf(s.out, "%-12s %s\n", f.Name, strings.Join(f.Extensions, " ")); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.out, "cantle %s\n", version())
			return err
		},
	}
}

// version returns that of this build.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
