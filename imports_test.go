package cantle_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cantle/cantle"

// allowed says which of our packages each may import; docs/architecture.md
// says why. A package that is not listed may import any.
var allowed = map[string][]string{
	"ast":      {},
	"segment":  {},
	"tokens":   {},
	"charset":  {},
	"lang":     {},
	"tables":   {"ast", "charset"},
	"markdown": {"ast", "tables"},
	"html":     {"ast", "charset", "tables"},
	"text":     {"ast", "segment"},
	"code":     {"ast"},
	"chunker":  {"ast", "segment"},
	"embed":    {"tokens"},
}

func TestImportsPointOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module+"/")
		rule, ok := allowed[name]
		if !ok {
			continue
		}
		seen++
		for _, imported := range fields[1:] {
			short, ours := strings.CutPrefix(imported, module+"/")
			// A package may have inner packages of its own.
			if ours && !slices.Contains(rule, short) && !strings.HasPrefix(short, name+"/internal/") {
				t.Errorf("%s imports %s", name, short)
			}
			if name == "ast" && strings.Contains(imported, ".") {
				t.Errorf("ast imports %s: it needs the standard library only", imported)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages were seen", seen)
	}
}
