package html

func (f *flow) findHeadings() {}
