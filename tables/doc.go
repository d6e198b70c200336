// Package tables lays out tables and reads the formats that are tables.
//
// A [Grid] is the one shape behind HTML tables, CSV, TSV and spreadsheets:
// cells laid on columns with their spans filled in, header rows told from rows
// of data, empty columns dropped, "$" and ")" rejoined with their number, rows
// grouped under the rows that name them. [Grid.Node] writes it as a tree, in
// one of the formats of [Format].
//
// [ParseCSV] and [ParseXLSX] give documents. [Pipe] reads the pipe tables of
// Markdown, which need no grid: their source is the text.
package tables
