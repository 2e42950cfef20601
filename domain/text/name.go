package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxName is the longest name, in characters after trimming.
const MaxName = 255

// MaxFold is the longest Fold or Key of a name, in bytes: 255 characters of
// four bytes and a little. It is reached only by characters that stand for many
// (U+FDFA unfolds to 18) and keeps every name short enough for an index.
const MaxFold = 1024

// Name returns s trimmed of white space when it is a name: 1 to MaxName
// characters of valid UTF-8 without control characters, those of the direction of
// writing included. Otherwise it returns
// the fault of field.
func Name(field, s string) (string, error) {
	s, err := Line(field, s)
	if err != nil {
		return "", err
	}
	if !strings.ContainsFunc(s, visible) {
		return "", fault.Blank(field)
	}
	return s, nil
}

// visible tells whether r shows by itself: a mark needs a letter to stand on,
// and a format character shows nothing.
func visible(r rune) bool { return !unicode.In(r, unicode.M, unicode.Cf, unicode.White_Space) }

// Line is Name for a text that may be empty, such as a person's first name.
func Line(field, s string) (string, error) {
	s = strings.TrimSpace(s)
	if err := Clean(field, s); err != nil {
		return "", err
	}
	if strings.ContainsFunc(s, turns) {
		return "", fault.Invalidf(field, "contains a character that changes the direction of writing")
	}
	if utf8.RuneCountInString(s) > MaxName {
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxName)
	}
	if len(Fold(s)) > MaxFold || len(Key(s)) > MaxFold {
		return "", fault.Invalidf(field, "is too long once its compound characters are written out")
	}
	return s, nil
}

// Clean says whether s can be stored as text at all: valid UTF-8 without NUL
// and other control characters.
func Clean(field, s string) error {
	if !utf8.ValidString(s) {
		return fault.Invalidf(field, "is not valid UTF-8")
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return fault.Invalidf(field, "contains a control character")
	}
	return nil
}

// turns reports whether r is a control of the Unicode bidirectional algorithm
// (UAX 9, section 2): one of these makes a text look like another.
func turns(r rune) bool { return r > unicode.MaxLatin1 && unicode.Is(unicode.Bidi_Control, r) }
