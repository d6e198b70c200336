package eval

// A Choice is the setting to take, by one measure.
type Choice struct {
	Measure string
	Best    *Outcome
	// Alike are the settings whose difference to the best has an interval that
	// holds 0: these questions cannot tell them apart.
	Alike []*Outcome
	// Behind is how much each setting differs from the best, in their order.
	Behind []Estimate
}

// Choose returns the setting of the highest mean; of equal ones the first.
func (r *Report) Choose(measure string) Choice {
	c := Choice{Measure: measure}
	for _, o := range r.Settings {
		if c.Best == nil || o.Overall().Is[measure].Mean > c.Best.Overall().Is[measure].Mean {
			c.Best = o
		}
	}
	for _, o := range r.Settings {
		d := r.Difference(measure, o, r, c.Best)
		c.Behind = append(c.Behind, d)
		if o != c.Best && !d.IsClear() {
			c.Alike = append(c.Alike, o)
		}
	}
	return c
}
