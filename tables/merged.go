package tables

import (
	"archive/zip"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// A mergedCell covers columns left to right of rows top to bottom, from 0, the
// last ones included.
type mergedCell struct{ top, left, bottom, right int }

// merges are the merged cells of a sheet by their first row, from left to
// right.
type merges map[int][]mergedCell

// within returns the merged cells that begin in row and in columns start to end.
func (m merges) within(row, start, end int) []mergedCell {
	list := m[row]
	by := func(c mergedCell, left int) int { return c.left - left }
	from, _ := slices.BinarySearchFunc(list, start, by)
	to, _ := slices.BinarySearchFunc(list, end, by)
	return list[from:to]
}

// A mergeReader finds the merged cells of the sheets of a workbook. The library
// that reads the values would make a cell in memory of every place up to the
// last one of a sheet to tell them.
type mergeReader struct {
	archive *zip.Reader
	parts   map[string]string // the part that a sheet is in, by its name
}

func newMergeReader(archive *zip.Reader) *mergeReader {
	r := &mergeReader{archive: archive, parts: map[string]string{}}
	book := "xl/workbook.xml"
	for _, target := range r.relations("") {
		if target.kind == "officeDocument" {
			book = target.part
		}
	}
	targets := r.relations(book)
	r.each(book, "sheet", func(e xml.StartElement) {
		if t, ok := targets[attribute(e, "id")]; ok {
			r.parts[attribute(e, "name")] = t.part
		}
	})
	return r
}

// sheet returns the merged cells of a sheet.
func (r *mergeReader) sheet(name string) merges {
	m := merges{}
	r.each(r.parts[name], "mergeCell", func(e xml.StartElement) {
		from, to, _ := strings.Cut(attribute(e, "ref"), ":")
		left, top, err := excelize.CellNameToCoordinates(from)
		if err != nil {
			return
		}
		if right, bottom, err := excelize.CellNameToCoordinates(to); err == nil && left <= right && top <= bottom {
			m[top-1] = append(m[top-1], mergedCell{top - 1, left - 1, bottom - 1, right - 1})
		}
	})
	for _, list := range m {
		slices.SortFunc(list, func(a, b mergedCell) int { return a.left - b.left })
	}
	return m
}

// A relation is what one part of an archive says of another.
type relation struct{ kind, part string }

// relations returns the relations of a part by their ids, those of the archive
// for "".
func (r *mergeReader) relations(part string) map[string]relation {
	folder, file := path.Split(part)
	found := map[string]relation{}
	r.each(folder+"_rels/"+file+".rels", "Relationship", func(e xml.StartElement) {
		target := attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + folder + target
		}
		found[attribute(e, "Id")] = relation{path.Base(attribute(e, "Type")), path.Clean(target)[1:]}
	})
	return found
}

// each calls yield for the start tags of a name in a part, as far as it can be
// read.
func (r *mergeReader) each(part, name string, yield func(xml.StartElement)) {
	for _, f := range r.archive.File {
		if !strings.EqualFold(strings.ReplaceAll(f.Name, `\`, "/"), part) {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return
		}
		defer in.Close()
		d := xml.NewDecoder(in)
		d.Strict = false
		d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // names of tags and cells are ASCII
		for {
			token, err := d.RawToken()
			if err != nil {
				return
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == name {
				yield(e)
			}
		}
	}
}

// attribute returns the value of an attribute, "" where e has none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
