// Package markdown parses CommonMark with GitHub's tables, and the dialects in
// use around it, into the tree of package ast.
//
// Beyond CommonMark it reads front matter (YAML, TOML, JSON), pipe tables,
// footnotes, definition lists, display formulas ("$$"), containers (":::",
// "!!!", `=== "tab"`, <details>, components of MDX) and headings and tables
// written in HTML. Blocks come from goldmark, with block parsers of our own for
// what it does not know; inline text is parsed for titles only.
//
//	# Ports          document 0:39
//	                   section 0:39 L1 head 0:9 lead 0:9 "Ports"
//	One each:            heading 0:9 L1 | # Ports\n\n
//	                     list 9:39 head 9:20
//	- web 80               paragraph 9:20 | One each:\n\n
//	- db 5432              item 20:29 | - web 80\n
//	                       item 29:39 | - db 5432\n
//
// Every block reaches to the start of the next one, so nothing is lost,
// whatever goldmark leaves out of its tree. What a reader sees is the source
// itself: no node has a Text. Comments, instructions ("<?xml ?>") and <style>
// are Markup, in MDX so are imports and exports, and so are rules and tags
// without text that stand last before a heading, where they part nothing.
package markdown
