package main

import "path/filepath"

// A way of cutting, as the jobs tell them apart.
type way string

const (
	structure way = "structure" // Markdown, by its headings
	recursive way = "recursive" // text, by separators
	code      way = "code"      // source, by its definitions
	pages     way = "pages"     // HTML, by its headings
)

// A job is the same work for all tools that can do it.
type job struct {
	name      string
	way       way
	corpus    string // folder of documents
	extension string
	language  string // of code
	encoding  string // unit of max
	max       int
	document  int // MB; cut one document of this size, made of the corpus
}

// jobs returns all jobs. Corpora of others' texts are in the folder shared,
// those of source code in the folder that setup.sh filled.
func jobs(shared, work string) []job {
	texts := func(name string) string { return filepath.Join(shared, "corpora", name) }
	list := []job{
		{name: "markdown/structure/512", way: structure, corpus: texts("markdown"), extension: ".md", encoding: "cl100k_base", max: 512},
		{name: "markdown-zh/structure/512", way: structure, corpus: texts("markdown-zh"), extension: ".md", encoding: "cl100k_base", max: 512},
		{name: "markdown/recursive/512", way: recursive, corpus: texts("markdown"), extension: ".md", encoding: "cl100k_base", max: 512},
		{name: "markdown/structure/2000chars", way: structure, corpus: texts("markdown"), extension: ".md", encoding: "chars", max: 2000},
		{name: "markdown/recursive/2000chars", way: recursive, corpus: texts("markdown"), extension: ".md", encoding: "chars", max: 2000},
		{name: "filings/pages/512", way: pages, corpus: texts("filings"), extension: ".html", encoding: "cl100k_base", max: 512},
	}
	for _, l := range [...]struct{ name, extension string }{{"go", ".go"}, {"python", ".py"}, {"typescript", ".ts"}, {"rust", ".rs"}, {"java", ".java"}} {
		list = append(list, job{name: l.name + "/code/512", way: code, corpus: filepath.Join(work, "corpora", l.name), extension: l.extension, language: l.name, encoding: "cl100k_base", max: 512})
	}
	for _, mb := range growthSizes {
		list = append(list, job{name: growthName(mb), way: structure, corpus: texts("markdown"), extension: ".md", encoding: "cl100k_base", max: 512, document: mb})
	}
	return list
}

// A tool is a library with its ways of cutting, by the name that its adapter
// knows them by. Those that cannot count characters do not run such jobs.
type tool struct {
	name    string
	adapter string
	ways    map[way]string
	chars   bool
}

// tools are cantle and its peers. A name with "+" has a tokenizer put in that
// the library does not ship with.
var tools = []tool{
	{"cantle", "cantle", map[way]string{structure: "structure", recursive: "recursive", code: "structure", pages: "structure"}, true},
	{"cantle, parse only", "cantle", map[way]string{structure: "parse", code: "parse", pages: "parse"}, false},
	{"text-splitter", "rust", map[way]string{structure: "markdown", recursive: "text", code: "code"}, true},
	{"text-splitter +tiktoken", "rust", map[way]string{structure: "markdown+tiktoken", recursive: "text+tiktoken", code: "code+tiktoken"}, false},
	{"semantic-text-splitter", "python", map[way]string{structure: "semantic-text-splitter/markdown", recursive: "semantic-text-splitter/text"}, true},
	{"langchaingo", "langchaingo", map[way]string{structure: "markdown", recursive: "recursive"}, true},
	{"langchaingo +tokenizer", "langchaingo", map[way]string{structure: "markdown+tokenizer", recursive: "recursive+tokenizer"}, false},
	{"langchain", "python", map[way]string{structure: "langchain/markdown-headers", recursive: "langchain/recursive", code: "langchain/code", pages: "langchain/html-headers"}, true},
	{"langchain, MarkdownTextSplitter", "python", map[way]string{structure: "langchain/markdown"}, true},
	{"llama-index", "python", map[way]string{structure: "llamaindex/markdown", recursive: "llamaindex/sentence"}, false},
	{"llama-index", "python-code", map[way]string{code: "llamaindex/code"}, false},
	{"chonkie", "python", map[way]string{structure: "chonkie/markdown", recursive: "chonkie/recursive"}, true},
	{"chonkie", "python-code", map[way]string{code: "chonkie/code"}, false},
	{"semchunk", "python", map[way]string{recursive: "semchunk/text"}, true},
	{"docling", "docling", map[way]string{structure: "docling/markdown", pages: "docling/pages"}, false},
	{"unstructured", "unstructured", map[way]string{structure: "unstructured/markdown", pages: "unstructured/pages"}, false},
}

// does reports whether a tool can do a job.
func (t tool) does(j job) bool {
	return t.ways[j.way] != "" && (j.encoding != "chars" || t.chars)
}
