package eval

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/cantle/cantle/internal/walk"
)

// A Scope says what a question searches.
type Scope string

const (
	ScopeCorpus   Scope = "corpus" // all documents
	ScopeDocument Scope = "doc"    // the one its evidence is in
)

// A Set is documents with questions.
type Set struct {
	Name      string
	Scope     Scope
	Documents map[string][]byte // source by id
	Questions []Question
}

// OpenSet reads a set from a folder: corpus/ holds the documents, their id the
// path below it; questions.jsonl the questions; meta.json, which may be missing,
// an object whose field scope is "corpus" or "doc".
func OpenSet(dir string) (*Set, error) {
	set := &Set{Name: filepath.Base(filepath.Clean(dir)), Scope: ScopeCorpus}
	var err error
	if set.Documents, err = readFolder(filepath.Join(dir, "corpus")); err != nil {
		return nil, err
	}
	if err := set.readMeta(filepath.Join(dir, "meta.json")); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "questions.jsonl")
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if set.Questions, err = ReadQuestions(f, false, set.Documents); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return set, nil
}

// IsSet reports whether dir is a folder as OpenSet reads it.
func IsSet(dir string) bool {
	corpus, err := os.Stat(filepath.Join(dir, "corpus"))
	if err != nil || !corpus.IsDir() {
		return false
	}
	questions, err := os.Stat(filepath.Join(dir, "questions.jsonl"))
	return err == nil && questions.Mode().IsRegular()
}

func (s *Set) readMeta(name string) error {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var meta struct {
		Scope Scope `json:"scope"`
	}
	if err := json.Unmarshal(b, &meta); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch meta.Scope {
	case "":
	case ScopeCorpus, ScopeDocument:
		s.Scope = meta.Scope
	default:
		return fmt.Errorf("%s: scope %q is neither corpus nor doc", name, meta.Scope)
	}
	return nil
}

// readFolder reads the files below dir, by their path from it.
func readFolder(dir string) (map[string][]byte, error) {
	documents := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		id, err := filepath.Rel(dir, p)
		documents[walk.Valid(filepath.ToSlash(id))] = b
		return err
	})
	return documents, err
}

// info identifies the set.
func (s *Set) info() SetInfo {
	info := SetInfo{Name: s.Name, Scope: s.Scope, Documents: len(s.Documents), Questions: len(s.Questions)}
	types := map[string]bool{}
	hash := sha256.New()
	write := func(b []byte) {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
		hash.Write(b)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Documents)) {
		info.Bytes += len(s.Documents[id])
		write([]byte(id))
		write(s.Documents[id])
	}
	for _, q := range s.Questions {
		if q.Type != "" {
			types[q.Type] = true
		}
		b, _ := json.Marshal(q) // cannot fail: strings and numbers
		write(b)
	}
	info.Types = slices.Sorted(maps.Keys(types))
	info.Hash = hex.EncodeToString(hash.Sum(nil))
	return info
}
