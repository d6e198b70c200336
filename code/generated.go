package code

import (
	"bytes"
	"path/filepath"
	"strings"

	// Its data alone: package enry brings a classifier, whose tables take 16 MB
	// and a fifth of the time of a cold start, and is not used here.
	"github.com/go-enry/go-enry/v2/data"
)

// Generated says why a file is one that nobody wrote by hand in this project:
// "vendored", "minified" or "generated", by the rules of GitHub's linguist;
// "" if it is none of them. The name is the file's path below the root of the
// project, with "/" or the system's separator.
func Generated(name string, src []byte) (reason string) {
	name = filepath.ToSlash(name)
	switch {
	case data.FastVendorMatcher.MatchString(name):
		return "vendored"
	case isMinified(src) && isScript(name):
		return "minified"
	case isGenerated(name, src):
		return "generated"
	}
	return ""
}

// isGenerated goes through linguist's rules for generated code as enry does.
func isGenerated(name string, src []byte) bool {
	ext := strings.ToLower(filepath.Ext(name))
	if _, ok := data.GeneratedCodeExtensions[ext]; ok {
		return true
	}
	for _, matches := range data.GeneratedCodeNameMatchers {
		if matches(name) {
			return true
		}
	}
	switch filepath.Base(name) { // lock files that linguist does not know
	case "go.sum", "go.work.sum", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "uv.lock":
		return true
	}
	name = strings.ToLower(name)
	for _, matches := range data.GeneratedCodeMatchers {
		if matches(name, ext, src) {
			return true
		}
	}
	return false
}

// isMinified reports whether the lines of src are 200 bytes long on average;
// linguist asks 110 and looks at scripts and style sheets only, as we do.
func isMinified(src []byte) bool {
	return len(src) > 1000 && len(src)/(bytes.Count(src, []byte{'\n'})+1) > 200
}

func isScript(name string) bool {
	switch filepath.Ext(name) {
	case ".js", ".mjs", ".cjs", ".css":
		return true
	}
	return false
}
