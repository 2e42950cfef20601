package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxName is the maximum length of a name, in characters after trimming.
const MaxName = 255

// MaxFold is the maximum length of the Fold and the UniqueKey of a name, in bytes: 255 characters
// of four bytes each, rounded up. It keeps every name short enough for an index. Only names with
// compatibility characters that decompose to many characters (U+FDFA to 18) exceed it.
const MaxFold = 1024

// Name returns s without surrounding white space if it is a valid name: 1 to MaxName characters of
// valid UTF-8, without control characters, bidirectional controls or other invisible characters, and
// at most MaxFold bytes after normalization. Otherwise it returns a fault on field.
func Name(field, s string) (string, error) {
	name, _, err := UniqueName(field, s)
	return name, err
}

// UniqueName is like Name, and also returns the UniqueKey of the name.
func UniqueName(field, s string) (name, key string, err error) {
	if CheckText(field, strings.TrimSpace(s)) == nil && !strings.ContainsFunc(s, visible) {
		return "", "", fault.Blank(field)
	}
	return optionalName(field, s)
}

// visible reports whether r is visible by itself. A mark is not, because it needs a base letter; a
// format character is not, because it has no glyph.
func visible(r rune) bool { return !unicode.In(r, unicode.M, unicode.Cf, unicode.White_Space) }

// OptionalName is like Name, but also accepts a blank s and returns "" for it. The names of a
// person are optional.
func OptionalName(field, s string) (string, error) {
	name, _, err := optionalName(field, s)
	return name, err
}

func optionalName(field, s string) (name, key string, err error) {
	s = strings.TrimSpace(s)
	if err := CheckText(field, s); err != nil {
		return "", "", err
	}
	if strings.ContainsFunc(s, isBidiControl) {
		return "", "", fault.Invalidf(field, "contains a character that changes the text direction")
	}
	if hasInvisible(s) {
		return "", "", fault.Invalidf(field, "contains an invisible character")
	}
	if utf8.RuneCountInString(s) > MaxName {
		return "", "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxName)
	}
	if key = UniqueKey(s); len(key) > MaxFold || len(Fold(s)) > MaxFold {
		return "", "", fault.Invalidf(field, "is too long after Unicode normalization")
	}
	return s, key, nil
}

// CheckText returns a fault unless s can be stored as text: valid UTF-8 without NUL and other
// control characters.
func CheckText(field, s string) error {
	if !utf8.ValidString(s) {
		return fault.Invalidf(field, "is not valid UTF-8")
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return fault.Invalidf(field, "contains a control character")
	}
	return nil
}

// isBidiControl reports whether r is a control character of the Unicode bidirectional algorithm
// (UAX 9, section 2), which can make a text look like another.
func isBidiControl(r rune) bool { return r > unicode.MaxLatin1 && unicode.Is(unicode.Bidi_Control, r) }
