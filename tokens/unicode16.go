package tokens

// A newRune is a range of runes of one class.
type newRune struct {
	lo, hi rune
	class  class
}

// newRunes are the letters, marks and numbers that Unicode 15.1 and 16.0 added.
// tiktoken knows them; package unicode is at 15.0.
var newRunes = []newRune{
	{0x0897, 0x0897, upper | lower},
	{0x1C89, 0x1C89, letter | upper},
	{0x1C8A, 0x1C8A, letter | lower},
	{0xA7CB, 0xA7CC, letter | upper},
	{0xA7CD, 0xA7CD, letter | lower},
	{0xA7DA, 0xA7DA, letter | upper},
	{0xA7DB, 0xA7DB, letter | lower},
	{0xA7DC, 0xA7DC, letter | upper},
	{0x105C0, 0x105F3, letter | upper | lower},
	{0x10D40, 0x10D49, number},
	{0x10D4A, 0x10D4F, letter | upper | lower},
	{0x10D50, 0x10D65, letter | upper},
	{0x10D69, 0x10D6D, upper | lower},
	{0x10D6F, 0x10D6F, letter | upper | lower},
	{0x10D70, 0x10D85, letter | lower},
	{0x10EC2, 0x10EC4, letter | upper | lower},
	{0x10EFC, 0x10EFC, upper | lower},
	{0x11380, 0x11389, letter | upper | lower},
	{0x1138B, 0x1138B, letter | upper | lower},
	{0x1138E, 0x1138E, letter | upper | lower},
	{0x11390, 0x113B5, letter | upper | lower},
	{0x113B7, 0x113B7, letter | upper | lower},
	{0x113B8, 0x113C0, upper | lower},
	{0x113C2, 0x113C2, upper | lower},
	{0x113C5, 0x113C5, upper | lower},
	{0x113C7, 0x113CA, upper | lower},
	{0x113CC, 0x113D0, upper | lower},
	{0x113D1, 0x113D1, letter | upper | lower},
	{0x113D2, 0x113D2, upper | lower},
	{0x113D3, 0x113D3, letter | upper | lower},
	{0x113E1, 0x113E2, upper | lower},
	{0x116D0, 0x116E3, number},
	{0x11BC0, 0x11BE0, letter | upper | lower},
	{0x11BF0, 0x11BF9, number},
	{0x11F5A, 0x11F5A, upper | lower},
	{0x13460, 0x143FA, letter | upper | lower},
	{0x16100, 0x1611D, letter | upper | lower},
	{0x1611E, 0x1612F, upper | lower},
	{0x16130, 0x16139, number},
	{0x16D40, 0x16D6C, letter | upper | lower},
	{0x16D70, 0x16D79, number},
	{0x18CFF, 0x18CFF, letter | upper | lower},
	{0x1CCF0, 0x1CCF9, number},
	{0x1E5D0, 0x1E5ED, letter | upper | lower},
	{0x1E5EE, 0x1E5EF, upper | lower},
	{0x1E5F0, 0x1E5F0, letter | upper | lower},
	{0x1E5F1, 0x1E5FA, number},
	{0x2EBF0, 0x2EE5D, letter | upper | lower},
}

// isNew reports whether r is one of newRunes.
func isNew(r rune) bool {
	for _, n := range newRunes {
		if r <= n.hi {
			return r >= n.lo
		}
	}
	return false
}
