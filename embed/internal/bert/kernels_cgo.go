//go:build cgo

package bert

// #cgo CFLAGS: -O3 -Wno-psabi
// #cgo LDFLAGS: -lm
// #include "kernels.h"
import "C"

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// available returns the kernels this machine can run, the fastest last.
func available() []kernels {
	all := []kernels{portable{}, compiled{"baseline", C.BERT_BASELINE}}
	if runtime.GOOS == "windows" {
		return all // see kernels.c
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, compiled{"avx2", C.BERT_AVX2})
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
			all = append(all, compiled{"avx512", C.BERT_AVX512})
		}
	}
	return all
}

// compiled are the kernels in C.
type compiled struct {
	label string
	set   C.int
}

func (k compiled) name() string { return k.label }

func (k compiled) multiply(c, a matrix, b panels, bias []float32) {
	C.bert_multiply(k.set, first(c.data), C.long(c.stride), first(a.data), C.long(a.stride),
		first(b.data), C.long(b.panel), C.long(b.stride), first(bias), C.long(a.rows), C.long(b.cols), C.long(b.rows))
}

func (k compiled) softmax(x matrix, n int, scale float32) {
	C.bert_softmax(k.set, first(x.data), C.long(x.rows), C.long(n), C.long(x.stride), C.float(scale))
}

func (k compiled) addNorm(x, y matrix, gain, bias []float32, eps float32) {
	C.bert_add_norm(k.set, first(x.data), first(y.data), first(gain), first(bias), C.long(x.rows), C.long(x.stride), C.float(eps))
}

func (k compiled) gelu(x []float32) { C.bert_gelu(k.set, first(x), C.long(len(x))) }

// first returns where x starts, nil for no floats.
func first(x []float32) *C.float {
	if len(x) == 0 {
		return nil
	}
	return (*C.float)(&x[0])
}
