package pipe

import (
	"fmt"
	"os"
)

// resident returns the bytes of memory that a process occupies, 0 where that
// cannot be told.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, pages int64
	fmt.Sscan(string(text), &size, &pages)
	return pages * int64(os.Getpagesize())
}
