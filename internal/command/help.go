package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroups are the concerns that the flags of a command are listed under, in
// this order. What is in none of them is the command's own and comes first.
var flagGroups = []struct {
	title string
	flags []string
}{
	{"Size", []string{"max-tokens", "want-tokens", "min-tokens", "overlap", "encoding", "model", "join-under"}},
	{"Way of cutting", []string{"preset", "strategy", "isolate", "separator", "regexp", "keep", "topic-threshold",
		"semantic-mode", "semantic-amount", "semantic-window", "across-headings", "embedder", "embed-cache"}},
	{"What a record holds", []string{"context", "code-context", "parents", "skeleton", "meta", "explain"}},
	{"Reading", []string{"format", "headings", "whole-page", "outputs", "tables", "find-clauses", "find-questions", "all", "jobs"}},
}

// usage prints how a command is called: an example first, then its flags by
// concern.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	if cmd.HasExample() {
		fmt.Fprintf(w, "Examples:\n%s\n\n", cmd.Example)
	}
	fmt.Fprintf(w, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nCommands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				fmt.Fprintf(w, "  %-12s %s\n", c.Name(), c.Short)
			}
		}
	}
	groups := make([]*pflag.FlagSet, len(flagGroups)+1)
	for i := range groups {
		groups[i] = pflag.NewFlagSet("", pflag.ContinueOnError)
		groups[i].SortFlags = false
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		at := slices.IndexFunc(flagGroups, func(g struct {
			title string
			flags []string
		}) bool {
			return slices.Contains(g.flags, f.Name)
		})
		groups[at+1].AddFlag(f)
	})
	for i, set := range groups {
		title := "Flags"
		if i > 0 {
			title = flagGroups[i-1].title
		}
		if set.HasAvailableFlags() {
			fmt.Fprintf(w, "\n%s:\n%s\n", title, strings.TrimRight(set.FlagUsages(), "\n"))
		}
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n'%s COMMAND --help' says more of a command.\n", cmd.CommandPath())
	}
	return nil
}
