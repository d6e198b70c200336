package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cantle/cantle/internal/command"
	"github.com/cantle/cantle/store/milvus"
	"github.com/cantle/cantle/store/storetest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cantle": main})
}

func TestIngestSurvivesKills(t *testing.T) {
	address, restart := storetest.Milvus(t)
	command.AddStore("milvus", "", milvus.Open)
	storetest.Opener(command.OpenStore).SurviveKills(t, 60, 50, func(n int) string { return fmt.Sprintf("milvus://%s/kb%d", address, n) }, restart)
}

// What the command finds and prints is what it finds in a file.
func TestSearch(t *testing.T) {
	address, _ := storetest.Milvus(t)
	docs := storetest.NewLibrary(t, 30).Dir
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("cantle", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	here, there := "milvus://"+address+"/kb", filepath.Join(t.TempDir(), "kb.db")
	for _, store := range []string{here, there} {
		run("ingest", "--store", store, "--embedder", "lexical", docs)
	}
	if again := run("ingest", "--store", here, "--embedder", "lexical", docs); !strings.HasPrefix(again, "added 0, changed 0, deleted 0 documents, left 30\n") {
		t.Errorf("the second run says %s", again)
	}
	for _, args := range [][]string{{"word1 word2"}, {"--embedder", "lexical", "word3 version"}, {"--where", `category = "kind1"`, "--expand", "neighbours", "word7"}} {
		args = append([]string{"search", "--format", "json", "--top", "20"}, args...)
		if got, want := run(append(args, "--store", here)...), run(append(args, "--store", there)...); got != want || len(got) < 100 {
			t.Errorf("%s:\ngot  %s\nwant %s", args, got, want)
		}
	}
}
