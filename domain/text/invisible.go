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
		{Lo: 0x2060, Hi: 0x2065, Stride: 1}, // word joiner, invisible operators
		{Lo: 0x206A, Hi: 0x206F, Stride: 1}, // deprecated format characters
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille pattern without dots
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, // zero width no-break space
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // halfwidth Hangul filler
		{Lo: 0xFDD0, Hi: 0xFDEF, Stride: 1}, // noncharacters
		{Lo: 0xFFF0, Hi: 0xFFFC, Stride: 1}, // unassigned, interlinear annotation, object replacement
	},
	R32: []unicode.Range32{
		{Lo: 0x16FE4, Hi: 0x16FE4, Stride: 1}, // Khitan filler
		{Lo: 0x1BCA0, Hi: 0x1BCA3, Stride: 1}, // shorthand format controls
		{Lo: 0x1D159, Hi: 0x1D159, Stride: 1}, // musical null notehead
		{Lo: 0x1D173, Hi: 0x1D17A, Stride: 1}, // musical format controls
		{Lo: 0xE0000, Hi: 0xE00FF, Stride: 1}, // tags
		{Lo: 0xE01F0, Hi: 0xE0FFF, Stride: 1}, // unassigned
	},
	LatinOffset: 1,
}

// isInvisible reports whether r is in invisible, or one of the last two characters of a plane, which
// are noncharacters.
func isInvisible(r rune) bool { return unicode.Is(invisible, r) || r&0xFFFE == 0xFFFE }

// hasInvisible reports whether s contains an invisible character, a joiner that is not between two
// letters, marks or symbols, or a variation selector after a character without variants. Joiners
// change the form of letters in some scripts, such as Persian, and combine emoji.
func hasInvisible(s string) bool {
	var previous rune
	before, joiner := false, false // whether the previous character can be joined; whether it is a joiner
	for _, r := range s {
		switch {
		case isInvisible(r), unicode.Is(unicode.Variation_Selector, r) && !hasVariants(previous, r):
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
		previous = r
	}
	return joiner
}

// hasVariants reports whether the variation selector can change the look of r: of an emoji or a
// symbol, also a digit that becomes one, of a Han character, as in some Japanese names, or of a
// Mongolian letter.
func hasVariants(r, selector rune) bool {
	switch {
	case selector >= 0xE0100:
		return unicode.Is(unicode.Han, r)
	case selector >= 0xFE00:
		return unicode.In(r, unicode.S, unicode.Han, unicode.Nd) || r == '#' || r == '*' || r == '\u203C' || r == '\u2049'
	}
	return unicode.Is(unicode.Mongolian, r)
}
