package html

func (f *flow) findBullets()         {}
func (f *flow) attach()              {}
func (f *flow) findMain()            {}
func (f *flow) leftOut(n int32) bool { return false }
