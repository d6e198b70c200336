package view_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cantle/cantle"
	"github.com/cantle/cantle/view"
)

func get(t *testing.T, h http.Handler, url string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
	body, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(body)
}

func TestHandler(t *testing.T) {
	src := []byte("# A\n\nText </script> of 𝄞 music.\n")
	var asked view.Settings
	h := view.Handler([]string{"a.md"}, settings, func(ctx context.Context, name string, s view.Settings) (*view.Document, error) {
		asked = s
		if name != "a.md" {
			return nil, errors.New("no such document")
		}
		return cutter(name, src)(ctx, name, s)
	})
	code, page := get(t, h, "http://127.0.0.1:1/")
	if code != 200 || strings.Contains(page, "Text </script>") || !strings.Contains(page, `\u003c/script\u003e`) {
		t.Errorf("%d: a document can end the page's script", code)
	}
	code, body := get(t, h, "http://localhost:1/cut?doc=a.md&max=77&isolate=true&context=false")
	if code != 200 || asked.Max != 77 || !asked.Isolate || asked.Context || asked.Encoding != "cl100k_base" {
		t.Errorf("%d %+v", code, asked)
	}
	// Offsets count as a script does: the clef is two.
	if !strings.Contains(body, `["body",0,32]`) {
		t.Errorf("got %s", body)
	}
	for url, want := range map[string]int{
		"http://127.0.0.1:1/cut?doc=../secret&max=10": 422,
		"http://127.0.0.1:1/cut?doc=a.md&max=ten":     400,
		"http://evil.example/":                        403,
		"http://192.168.0.7/":                         403,
		"http://[::1]:80/":                            200,
		"http://127.0.0.1/other":                      404,
	} {
		if code, _ := get(t, h, url); code != want {
			t.Errorf("%s: %d, want %d", url, code, want)
		}
	}
}

// A page without documents is refused, not begun.
func TestNoDocuments(t *testing.T) {
	if code, body := get(t, view.Handler(nil, settings, nil), "http://127.0.0.1/"); code != 404 || !strings.Contains(body, "no documents") {
		t.Errorf("got %d %s", code, body)
	}
	if err := view.Write(io.Discard); err == nil {
		t.Error("a page of nothing is written")
	}
}

// A chunk's text is told apart into what it repeats and what it says, on a page
// that shows otherwise than it stands, too.
func TestRoles(t *testing.T) {
	rows := strings.Repeat("<tr><td>berth</td><td>seven metres</td></tr>", 12)
	for name, src := range map[string]string{
		"a.html": "<h1>Depths</h1><table><tr><th>what</th><th>depth</th></tr>" + rows + "</table>",
		"a.go":   "package a\n\nfunc f() {\n" + strings.Repeat("\tif g() {\n\t\th(1, 2, 3)\n\t}\n", 12) + "}\n",
	} {
		s := view.Settings{Max: 60, Overlap: 15, Context: true}
		set, err := cut(context.Background(), name, []byte(src), s)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, c := range set.Chunks {
			for _, part := range c.Text {
				seen[fmt.Sprint(part[0])] = true
				if part[0] == "written" {
					t.Errorf("%s: nobody wrote %q", name, part[1])
				}
			}
		}
		if !seen["head"] || !seen["body"] || name == "a.go" && !seen["overlap"] {
			t.Errorf("%s: got %v", name, seen)
		}
	}
}

// Any bytes have a page.
func TestBrokenBytes(t *testing.T) {
	src := []byte("a\xff\xfe| b\x80c\r\n\r\n\xf0\x9f\n")
	doc, err := cantle.Parse("a.txt", src, cantle.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := cut(context.Background(), "a.txt", src, settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := view.Write(io.Discard, view.New(doc, set)); err != nil {
		t.Error(err)
	}
}
