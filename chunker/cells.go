package chunker

import (
	"strings"

	"github.com/cantle/cantle/ast"
)

// A row that does not fit is cut between its cells. A piece of it cannot stand
// under the header of the table, since it has only some of its columns: each
// cell says its label instead, and the first cell of the row, which names it,
// is repeated.
//
//	Segment: North
//	2023 Plan: 10
//	2023 Real: 11
//
// So it is for every row of a table whose header takes more than half of the
// limit. A row that names those below it stands above them without its bars.

// row returns the frame of the row that atom i is a part of, or -1.
func (p *planner) row(i int) int32 {
	for f := p.atoms[i].frame; f >= 0; f = p.frames[f].parent {
		switch p.frames[f].node.Kind {
		case ast.Row:
			return f
		case ast.Table:
			return -1
		}
	}
	return -1
}

// cellwise reports whether the piece that begins with atom i has its cells by
// themselves: i is a part of a row, or names the rows of a table whose rows are
// cut.
func (p *planner) cellwise(i int) bool {
	a := &p.atoms[i]
	return p.row(i) >= 0 || a.role == lead && a.frame >= 0 && namesRows(p.frames[a.frame].node) && p.isLabelled(a.frame)
}

// labelled reports whether the next atom is in a table whose header is too long
// to be repeated.
func (p *planner) labelled() bool { return p.isLabelled(p.frame) }

func (p *planner) isLabelled(f int32) bool {
	for ; f >= 0; f = p.frames[f].parent {
		if p.frames[f].node.Kind == ast.Table {
			return p.frames[f].labels
		}
	}
	return false
}

// cells appends the parts of a piece of a row, or of what names rows and the
// first of them.
func (p *planner) cells(parts []part, pc *piece) []part {
	if f := p.row(pc.first); f >= 0 {
		key := p.frames[f].node.Children[0]
		start, end := p.view.span(key.Span)
		start, end = p.bare(start, end)
		switch first := p.firstColumn(f); {
		case first != key.Name: // no cell names the row: what its column is called may be the unit
			if first != "" {
				parts = append(parts, part{role: RoleHead, start: pc.start, end: pc.start, before: first + "\n"})
			}
		case pc.start >= end && start < end && p.sizes.size(start, end) <= p.max/4:
			parts = append(parts, part{RoleHead, start, end, label(key.Name), "\n"})
		}
	}
	for i := pc.first; i <= pc.last; i++ {
		a := &p.atoms[i]
		start, end := p.bare(a.start, a.end)
		if start == end {
			continue // an empty cell
		}
		cell := part{role: RoleBody, start: start, end: end, after: "\n"}
		if from, _ := p.view.span(a.node.Span); a.node.Kind == ast.Cell && from == a.start {
			cell.before = label(a.node.Name)
		}
		parts = append(parts, cell)
	}
	if len(parts) == 0 || parts[len(parts)-1].role != RoleBody {
		parts = append(parts, part{role: RoleBody, start: pc.start, end: pc.end})
	}
	return parts
}

// firstColumn returns the label of the first column of the table that frame f
// is in.
func (p *planner) firstColumn(f int32) string {
	for ; f >= 0; f = p.frames[f].parent {
		if columns := p.frames[f].node.Columns; len(columns) > 0 {
			return columns[0]
		}
	}
	return ""
}

func label(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

// bare leaves out blanks and the bars of a pipe table at either end.
func (p *planner) bare(start, end int) (int, int) {
	const out = "| \t\r\n"
	s := p.view.text[start:end]
	trimmed := strings.TrimLeft(s, out)
	start = end - len(trimmed)
	return start, start + len(strings.TrimRight(trimmed, out))
}
