package bert

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// withHeader returns a file with that header and size bytes of tensors.
func withHeader(header string, size int) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), make([]byte, size)...)
}

func TestSafetensorsErrors(t *testing.T) {
	for name, test := range map[string]struct {
		file []byte
		want string
	}{
		"empty":            {nil, "no safetensors header"},
		"short":            {[]byte("1234567"), "no safetensors header"},
		"longer than file": {withHeader("{}", 0)[:9], "a header of 2 bytes in a file of 9"},
		"huge header":      {bytes.Repeat([]byte{0xff}, 16), "not safetensors"},
		"not JSON":         {withHeader("nonsense", 0), "safetensors header: invalid"},
		"no object":        {withHeader(`{"x":3}`, 0), `tensor "x"`},
		"past the end":     {withHeader(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 3), "bytes 0 to 4 of 3"},
		"backwards":        {withHeader(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, 9), "bytes 4 to 0"},
		"negative":         {withHeader(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`, 9), "bytes -4 to 0"},
		"other length":     {withHeader(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 9), "4 bytes for F32 of shape [2]"},
		"overflow":         {withHeader(`{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 9), "shape [4294967296 4294967296]"},
		"negative shape":   {withHeader(`{"x":{"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]}}`, 9), "shape [-1 -1]"},
		"whole numbers":    {withHeader(`{"x":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}`, 4), "of type I32, want F32"},
		"unknown type":     {withHeader(`{"x":{"dtype":"F4","shape":[1],"data_offsets":[0,4]}}`, 4), "of type F4, want F32"},
		"another shape":    {withHeader(`{"x":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, 4), "has shape [1 1], want [1]"},
		"missing":          {withHeader(`{}`, 4), `"x" is missing`},
		"not a number":     {append(withHeader(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 0), 0, 0, 0xc0, 0x7f), "holds NaN"},
	} {
		s, err := openSafetensors(bytes.NewReader(test.file), int64(len(test.file)))
		if err == nil {
			_, err = s.floats("x", 1)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.33325195, 0x7bff: 65504, 1: 0x1p-24, 0x83ff: -0x1.ff8p-15, 0x7c00: float32(math.Inf(1)),
	} {
		if got := half(bits); got != want {
			t.Errorf("%#x: got %v, want %v", bits, got, want)
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(withHeader(`{"x":{"dtype":"F16","shape":[2,1],"data_offsets":[2,6]},"__metadata__":{}}`, 8))
	f.Add(withHeader(`{"x":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`, 4))
	f.Add([]byte("12345678{"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := openSafetensors(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		for name, info := range s.tensors {
			x, err := s.floats(name, info.Shape...)
			if err == nil && len(x) > len(file) {
				t.Errorf("%d floats from %d bytes", len(x), len(file))
			}
		}
	})
}
