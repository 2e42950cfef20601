package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxLongText is the maximum length of a long text, in characters after trimming.
const MaxLongText = 4000

// LongText is like Name, but for a text of one or more lines, such as a quiz question: 1 to
// MaxLongText characters, including line breaks and tabs.
func LongText(field, s string) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case !utf8.ValidString(s):
		return "", fault.Invalidf(field, "is not valid UTF-8")
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) }):
		return "", fault.Invalidf(field, "contains a control character")
	case utf8.RuneCountInString(s) > MaxLongText:
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxLongText)
	case !strings.ContainsFunc(s, visible):
		return "", fault.Blank(field)
	}
	return s, nil
}
