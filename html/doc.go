// Package html parses HTML pages, and pages that are no more than bold lines
// and tables, as filings are.
//
// Parse reads the page in one pass of the tokenizer of x/net/html into a tree
// of elements in source order, keeping where each one begins and ends. It is
// not the tree a browser builds: misnested inline tags are not cloned, and
// text that stands loose in a table is not moved before it, because the leaves
// of an [ast.Document] must follow the source. Where a page is well formed the
// two agree; a test compares them through goquery.
//
// The elements are flattened to blocks: divs, sections and tables that only
// make a layout leave no trace, each paragraph, list, quote, <pre> and table of
// data is a block with the text a reader sees, written as light Markdown, and
// what a reader does not see is Markup. Then sections are made of the headings,
// however deep they stood.
package html
