package bert

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// Safetensors is an open file in that format: eight bytes with the length of a
// header, the header in JSON, which gives each tensor's type, shape and place,
// and the tensors' bytes.
//
// The header is checked when it is read: every tensor lies within the file and
// is as long as its shape says, so that nothing read later is longer than the
// file is.
type safetensors struct {
	r       io.ReaderAt
	data    int64 // offset of the tensors' bytes
	tensors map[string]tensorInfo
}

type tensorInfo struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // from data; the end is exclusive
}

const maxHeader = 100 << 20 // bytes, as in the format's own library

// typeSizes are the types of which floats can be made, and of the others those
// that come with models.
var typeSizes = map[string]int64{
	"F64": 8, "F32": 4, "F16": 2, "BF16": 2,
	"I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1,
}

// openSafetensors reads the header of a file of that size.
func openSafetensors(r io.ReaderAt, size int64) (*safetensors, error) {
	var prefix [8]byte
	if _, err := r.ReadAt(prefix[:], 0); err != nil {
		return nil, fmt.Errorf("no safetensors header: %w", err)
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if length > maxHeader || int64(length) > size-8 {
		return nil, fmt.Errorf("not safetensors: a header of %d bytes in a file of %d", length, size)
	}
	header := make([]byte, length)
	if _, err := r.ReadAt(header, 8); err != nil {
		return nil, fmt.Errorf("safetensors header: %w", err)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(header, &entries); err != nil {
		return nil, fmt.Errorf("safetensors header: %w", err)
	}
	s := &safetensors{r: r, data: 8 + int64(length), tensors: map[string]tensorInfo{}}
	for name, entry := range entries {
		if name == "__metadata__" {
			continue
		}
		var t tensorInfo
		if err := json.Unmarshal(entry, &t); err != nil {
			return nil, fmt.Errorf("safetensors header: tensor %q: %w", name, err)
		}
		if err := t.check(size - s.data); err != nil {
			return nil, fmt.Errorf("safetensors header: tensor %q: %w", name, err)
		}
		s.tensors[name] = t
	}
	return s, nil
}

// check reports a place outside of size bytes, or not of the shape's length.
func (t tensorInfo) check(size int64) error {
	start, end := t.Offsets[0], t.Offsets[1]
	if start < 0 || end < start || end > size {
		return fmt.Errorf("bytes %d to %d of %d", start, end, size)
	}
	want, ok := typeSizes[t.Type]
	if !ok {
		return nil // a type of its own size; it cannot be read as floats either
	}
	for _, n := range t.Shape {
		if n < 0 || n > 0 && want > math.MaxInt64/n {
			return fmt.Errorf("shape %v", t.Shape)
		}
		want *= n
	}
	if want != end-start {
		return fmt.Errorf("%d bytes for %s of shape %v", end-start, t.Type, t.Shape)
	}
	return nil
}

// floats reads the tensor of that name, which must have that shape.
func (s *safetensors) floats(name string, shape ...int64) ([]float32, error) {
	t, ok := s.tensors[name]
	if !ok {
		return nil, fmt.Errorf("tensor %q is missing", name)
	}
	if !slices.Equal(t.Shape, shape) {
		return nil, fmt.Errorf("tensor %q has shape %v, want %v", name, t.Shape, shape)
	}
	var decode func([]byte) float32
	switch t.Type {
	case "F32":
		decode = func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
	case "BF16":
		decode = func(b []byte) float32 {
			return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
		}
	case "F16":
		decode = func(b []byte) float32 { return half(binary.LittleEndian.Uint16(b)) }
	default:
		return nil, fmt.Errorf("tensor %q is of type %s, want F32, F16 or BF16", name, t.Type)
	}
	raw := make([]byte, t.Offsets[1]-t.Offsets[0])
	if _, err := s.r.ReadAt(raw, s.data+t.Offsets[0]); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", name, err)
	}
	size := int(typeSizes[t.Type])
	x := make([]float32, len(raw)/size)
	for i := range x {
		x[i] = decode(raw[i*size:])
		if x[i]-x[i] != 0 {
			return nil, fmt.Errorf("tensor %q holds %v", name, x[i])
		}
	}
	return x, nil
}

// half returns the value of a 16-bit float of IEEE 754.
func half(bits uint16) float32 {
	sign := float32(1)
	if bits>>15 != 0 {
		sign = -1
	}
	exponent, fraction := int(bits>>10&31), int(bits&1023)
	switch exponent {
	case 0:
		return sign * float32(math.Ldexp(float64(fraction), -24))
	case 31:
		if fraction != 0 {
			return float32(math.NaN())
		}
		return sign * float32(math.Inf(1))
	}
	return sign * float32(math.Ldexp(float64(1024+fraction), exponent-25))
}
