package html

// A page is where a page of the printed document begins.
type page struct {
	offset int // in the source
	block  int // the first block on it
}

// findPages fills Document.Pages.
func (f *flow) findPages() {
	if len(f.pages) == 0 {
		return
	}
	f.doc.Pages = append(f.doc.Pages, 0)
	for _, p := range f.pages {
		if last := f.doc.Pages[len(f.doc.Pages)-1]; p.offset > last && p.offset < len(f.doc.Source) {
			f.doc.Pages = append(f.doc.Pages, p.offset)
		}
	}
}
