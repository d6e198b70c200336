// Package markdown parses CommonMark with GitHub's tables, and the dialects in
// use around it, into the tree of package ast.
//
// Beyond CommonMark it reads front matter (YAML, TOML, JSON), pipe tables,
// footnotes, definition lists, display formulas ("$$"), containers (":::",
// "!!!", `=== "tab"`, <details>, components of MDX) and headings and tables
// written in HTML. Blocks come from goldmark, with block parsers of our own for
// what it does not know; inline text is parsed for titles only.
//
//	# Ports            document 0:30
//	                     section 0:30 L1 "Ports"
//	One each:              heading 0:9
//	                       list 9:30 head 9:20
//	- web 80                 paragraph 9:20
//	- db                     item 20:25 ...
//
// Every block reaches to the start of the next one, so nothing is lost,
// whatever goldmark leaves out of its tree. What a reader sees is the source
// itself: no node has a Text. Rules, comments and <style> are Markup.
package markdown
