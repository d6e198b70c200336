package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A misuse is an error in what was asked for.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// otherNames are what flags are called elsewhere.
var otherNames = map[string][]string{
	"max-tokens": {"chunk-size", "chunk_size"},
	"overlap":    {"chunk-overlap", "chunk_overlap"},
}

// explainMisuse has a command, and those below it, say what is wrong in a line
// that names what was typed and what would be right.
func explainMisuse(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return misuse{fmt.Errorf("%w; see '%s --help'", valueError(cmd.Flags(), err), cmd.CommandPath())}
	})
	if takes := cmd.Args; takes != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if takes(cmd, args) == nil {
				return nil
			}
			return misuse{argsError(cmd, args)}
		}
	}
	for _, below := range cmd.Commands() {
		explainMisuse(below)
	}
}

// argsError says which arguments a command takes in place of args.
func argsError(cmd *cobra.Command, args []string) error {
	if !cmd.HasParent() {
		return unknownCommand(cmd, args[0])
	}
	_, operands, _ := strings.Cut(strings.ReplaceAll(cmd.Use, " [flags]", ""), " ")
	if operands == "" {
		operands = "no arguments"
	}
	given := "none is given"
	if len(args) > 0 {
		given = strings.Join(args, " ") + " is given"
	}
	return fmt.Errorf("%s: want %s, %s; see '%s --help'", cmd.Name(), operands, given, cmd.CommandPath())
}

func unknownCommand(root *cobra.Command, name string) error {
	return fmt.Errorf("there is no command %s%s; see '%s --help'", name, meant("", root.SuggestionsFor(name)), root.CommandPath())
}

// meant asks whether one of these names was meant.
func meant(dashes string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": did you mean " + dashes + strings.Join(names[:min(len(names), 3)], " or "+dashes) + "?"
}

// valueError says an error of parsing flags in the words of the command line.
func valueError(flags *pflag.FlagSet, err error) error {
	var value *pflag.InvalidValueError
	var name *pflag.NotExistError
	switch {
	case errors.As(err, &value):
		f := value.GetFlag()
		want, ok := map[string]string{"int": "a whole number", "float64": "a number", "bool": "true or false", "duration": "a time, such as 30s"}[f.Value.Type()]
		if ok {
			return fmt.Errorf("--%s %s: want %s", f.Name, value.GetValue(), want)
		}
	case errors.As(err, &name) && name.GetSpecifiedShortnames() == "":
		return fmt.Errorf("there is no flag --%s%s", name.GetSpecifiedName(), meant("--", similarFlags(flags, name.GetSpecifiedName())))
	}
	return err
}

// similarFlags returns the flags whose names are like a name, as cobra finds
// the commands that are.
func similarFlags(flags *pflag.FlagSet, name string) []string {
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names.AddCommand(&cobra.Command{Use: f.Name, SuggestFor: otherNames[f.Name], Run: func(*cobra.Command, []string) {}})
		}
	})
	return names.SuggestionsFor(name)
}

// explainHelp has help on a command that there is not be misuse.
func explainHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	print := help.Run
	help.Run = nil
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if of, rest, err := root.Find(args); err != nil || of == root && len(rest) > 0 {
			return misuse{unknownCommand(root, strings.Join(args, " "))}
		}
		print(cmd, args)
		return nil
	}
}
