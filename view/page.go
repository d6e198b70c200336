package view

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
)

//go:embed assets/page.html
var pageHTML string

//go:embed assets/page.css
var pageCSS string

//go:embed assets/page.js
var pageJS string

// data is what stands in the page itself.
type data struct {
	Live  bool        `json:"live"` // there is a server that cuts
	Names []string    `json:"names"`
	Doc   *Document   `json:"doc,omitempty"`
	Docs  []*Document `json:"docs,omitempty"` // all of them, where there is no server
}

// errNone says that there is nothing for a page to show.
var errNone = errors.New("there are no documents to show")

// Write writes a page of documents, of one at least, that needs nothing but
// itself.
func Write(w io.Writer, docs ...*Document) error {
	if len(docs) == 0 {
		return errNone
	}
	d := data{Docs: docs}
	for _, doc := range docs {
		d.Names = append(d.Names, doc.ID)
	}
	return write(w, d)
}

func write(w io.Writer, d data) error {
	// Marshal escapes "<", so that no text of a document ends the script.
	js, err := json.Marshal(d)
	if err != nil {
		return err
	}
	// One pass, so that nothing in a document is taken for a place to fill.
	_, err = strings.NewReplacer("{{title}}", html.EscapeString(d.Names[0]+" · cantle"), "{{css}}", pageCSS, "{{data}}", string(js), "{{js}}", pageJS).WriteString(w, pageHTML)
	return err
}

// A Cutter cuts a document, by its name, with settings. An error is shown to
// the person.
type Cutter func(ctx context.Context, name string, s Settings) (*Document, error)

// Handler serves a page that shows the named documents and cuts them with cut
// when a person asks for it. It answers requests to this machine only, so that
// no other page in the browser reads files through it.
func Handler(names []string, first Settings, cut Cutter) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if len(names) == 0 {
			http.Error(w, errNone.Error(), http.StatusNotFound)
			return
		}
		doc, err := cut(r.Context(), names[0], first)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:")
		write(w, data{Live: true, Names: names, Doc: doc})
	})
	mux.HandleFunc("GET /cut", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		s := first
		for _, n := range []struct {
			name string
			to   *int
		}{{"max", &s.Max}, {"min", &s.Min}, {"overlap", &s.Overlap}} {
			if v := q.Get(n.name); v != "" {
				var err error
				if *n.to, err = strconv.Atoi(v); err != nil {
					http.Error(w, n.name+" "+v+": is no number", http.StatusBadRequest)
					return
				}
			}
		}
		if v := q.Get("context"); v != "" {
			s.Context = v == "true"
		}
		if v := q.Get("isolate"); v != "" {
			s.Isolate = v == "true"
		}
		doc, err := cut(r.Context(), q.Get("doc"), s)
		switch {
		case errors.Is(err, context.Canceled):
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(doc)
	})
	return local(mux)
}

// local refuses requests that name another host: a page elsewhere whose name
// was made to point here.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this page is for this machine", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
