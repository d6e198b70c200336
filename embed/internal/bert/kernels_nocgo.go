//go:build !cgo

package bert

// available returns the kernels this machine can run, the fastest last.
func available() []kernels { return []kernels{portable{}} }
