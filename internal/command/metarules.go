package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// A metaRule gives metadata to the files whose id matches.
type metaRule struct {
	glob *regexp.Regexp
	meta map[string]any
}

// readRules reads a YAML mapping of globs, each to a mapping of what JSON can
// hold, for stores keep it so.
func readRules(name string) ([]metaRule, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, plain(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	keepDates(&doc)
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, errors.New("want a mapping: GLOB: {key: value}")
	}
	var rules []metaRule
	for i := 0; i+1 < len(top.Content); i += 2 {
		r := metaRule{glob: globPattern(top.Content[i].Value)}
		if err := top.Content[i+1].Decode(&r.meta); err != nil {
			return nil, fmt.Errorf("%s: %w", top.Content[i].Value, err)
		}
		var number *json.UnsupportedValueError
		switch _, err := json.Marshal(r.meta); {
		case errors.As(err, &number):
			return nil, fmt.Errorf("%s: %s: JSON has no such number; write it as a string", top.Content[i].Value, number.Str)
		case err != nil: // a map[any]any
			return nil, fmt.Errorf("%s: the keys within a value must be strings", top.Content[i].Value)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// keepDates makes the dates without a time below n strings, as in front matter.
func keepDates(n *yaml.Node) {
	if n.ShortTag() == "!!timestamp" && !strings.Contains(n.Value, ":") {
		n.Tag = "!!str"
	}
	for _, child := range n.Content {
		keepDates(child)
	}
}

// globPattern returns what a glob matches: * and ? stay within a name, ** is
// any number of folders. One without a slash is matched with the last name.
func globPattern(glob string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	if !strings.Contains(glob, "/") {
		b.WriteString("(.*/)?")
	}
	for i := 0; i < len(glob); {
		switch rest := glob[i:]; {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(.*/)?")
			i += 3
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			i += 2
		case rest[0] == '*':
			b.WriteString("[^/]*")
			i++
		case rest[0] == '?':
			b.WriteString("[^/]")
			i++
		default:
			n := strings.IndexAny(rest, "*?")
			if n < 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			i += n
		}
	}
	return regexp.MustCompile("(?s)" + b.String() + "$")
}

// matching returns the metadata of the rules that match an id, nil for none.
func matching(rules []metaRule, id string) map[string]any {
	var meta map[string]any
	for _, r := range rules {
		if r.glob.MatchString(path.Clean(id)) {
			if meta == nil {
				meta = map[string]any{}
			}
			maps.Copy(meta, r.meta)
		}
	}
	return meta
}

func withMeta(settings string, meta map[string]any) string {
	b, _ := json.Marshal(meta) // cannot fail: readRules has tried; maps print in the order of their keys
	sum := sha256.Sum256(append([]byte(settings), b...))
	return hex.EncodeToString(sum[:8])
}
