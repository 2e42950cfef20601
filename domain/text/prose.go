package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxProse is the longest prose, in characters after trimming.
const MaxProse = 4000

// Prose is Name for a text of one or more lines, such as the question of a
// quiz: 1 to MaxProse characters, line ends and tabs among them.
func Prose(field, s string) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case !utf8.ValidString(s):
		return "", fault.Invalidf(field, "is not valid UTF-8")
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) }):
		return "", fault.Invalidf(field, "contains a control character")
	case utf8.RuneCountInString(s) > MaxProse:
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxProse)
	case !strings.ContainsFunc(s, visible):
		return "", fault.Blank(field)
	}
	return s, nil
}
