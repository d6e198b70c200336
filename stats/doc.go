// Package stats says how long the chunks of a set are, what their size is
// spent on, and how many of them say the same.
//
//	c := stats.New(stats.Options{})
//	for each record { c.Add(rec) }
//	report := c.Report()
//
// A set is gone through once. Of a chunk are kept its size and the 136 bytes
// by which near-duplicates are found, so a million chunks take 150 MB.
package stats
