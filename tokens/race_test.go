//go:build race

package tokens

// raceEnabled: sync.Pool drops what it holds at random then, so allocations are
// not to be counted.
const raceEnabled = true
