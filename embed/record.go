package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
)

// A record is the header and then the floats, all little-endian.
//
//	 0  mark      8 bytes
//	 8  key      32 bytes
//	40  dim       4 bytes
//	44  checksum  4 bytes, of the floats
//	48  checksum  4 bytes, of what stands before
//	52  floats    4 bytes each
const (
	recordHeader = 52
	maxRecord    = recordHeader + 4*maxDim
)

// recordMark begins with a byte that UTF-8 does not have, nor a known format begins with,
// since a crash may leave no more than that of the first record.
var recordMark = []byte("\xf9cantle\x01")

var checksumTable = crc32.MakeTable(crc32.Castagnoli)

type cacheKey [sha256.Size]byte

// keyOf hashes the name's length first, so that name and text cannot run into
// each other.
func keyOf(name, text string) cacheKey {
	h := sha256.New()
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(name))))
	io.WriteString(h, name)
	io.WriteString(h, text)
	return cacheKey(h.Sum(nil))
}

// parseHeader returns whose vector follows b, the first recordHeader bytes of a
// record, and of how many floats it is. It reports false if b is something else.
func parseHeader(b []byte) (key cacheKey, dim int, ok bool) {
	d := binary.LittleEndian.Uint32(b[40:])
	ok = bytes.HasPrefix(b, recordMark) && d <= maxDim && binary.LittleEndian.Uint32(b[48:]) == checksum(b[:48])
	return cacheKey(b[8:40]), int(d), ok
}

// isWhole reports whether the floats of a record with a good header are as they
// were written.
func isWhole(record []byte) bool {
	return binary.LittleEndian.Uint32(record[44:]) == checksum(record[recordHeader:])
}

func appendRecord(b []byte, key cacheKey, vector []float32) []byte {
	start := len(b)
	b = append(b, recordMark...)
	b = append(b, key[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(vector)))
	b = append(b, make([]byte, 8)...)
	for _, x := range vector {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	header := b[start : start+recordHeader]
	binary.LittleEndian.PutUint32(header[44:], checksum(b[start+recordHeader:]))
	binary.LittleEndian.PutUint32(header[48:], checksum(header[:48]))
	return b
}

func recordFloats(record []byte) []float32 {
	vector := make([]float32, (len(record)-recordHeader)/4)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(record[recordHeader+4*i:]))
	}
	return vector
}

// nextMark returns how far after the start of b, some bytes of a file, the next
// record can begin.
func nextMark(b []byte) int {
	if i := bytes.Index(b[1:], recordMark); i >= 0 {
		return 1 + i
	}
	return len(b) - (len(recordMark) - 1) // the end of b may be part of a mark
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, checksumTable) }
