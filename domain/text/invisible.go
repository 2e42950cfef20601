package text

import "unicode"

const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// invisible contains the characters that have no glyph and no width and that no script needs in a
// name. If they were allowed, two different names could look the same.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1}, // soft hyphen
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180E, Hi: 0x180E, Stride: 1}, // Mongolian vowel separator
		{Lo: 0x200B, Hi: 0x200B, Stride: 1}, // zero width space
		{Lo: 0x2060, Hi: 0x2064, Stride: 1}, // word joiner, invisible operators
		{Lo: 0x206A, Hi: 0x206F, Stride: 1}, // deprecated format characters
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, // zero width no-break space
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // halfwidth Hangul filler
		{Lo: 0xFFF9, Hi: 0xFFFB, Stride: 1}, // interlinear annotation
	},
	LatinOffset: 1,
}

// hasInvisible reports whether s contains an invisible character, or a joiner that is not between
// two letters, marks or symbols. Joiners change the form of letters in some scripts, such as
// Persian, and combine emoji.
func hasInvisible(s string) bool {
	before, joiner := false, false // whether the previous character can be joined; whether it is a joiner
	for _, r := range s {
		switch {
		case unicode.Is(invisible, r):
			return true
		case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
			if !before {
				return true
			}
			before, joiner = false, true
		default:
			before = unicode.In(r, unicode.L, unicode.M, unicode.S)
			if joiner && !before {
				return true
			}
			joiner = false
		}
	}
	return joiner
}
