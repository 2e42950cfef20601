package activity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// MaxText is the maximum size of the text of an activity, in bytes.
const MaxText = 64 << 10

// CheckText returns a fault unless s is valid as the text of an activity: Markdown of at most
// MaxText bytes, with line breaks and tabs but without other control characters.
func CheckText(s string) error {
	switch {
	case len(s) > MaxText:
		return fault.Invalidf("text", "is too long (maximum is %d bytes)", MaxText)
	case !utf8.ValidString(s):
		return fault.Invalidf("text", "is not valid UTF-8")
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) }):
		return fault.Invalidf("text", "contains a control character")
	}
	return nil
}

// CheckVideoURL returns a fault unless s is valid as the address of a video: a text.URL with the
// scheme https, or empty if the video has no address yet.
func CheckVideoURL(s string) error {
	if s == "" {
		return nil
	}
	trimmed, err := text.URL("video_url", s)
	if err != nil {
		return err
	}
	if scheme, _, _ := strings.Cut(s, "://"); trimmed != s || !strings.EqualFold(scheme, "https") {
		return fault.Invalidf("video_url", "must be an absolute https URL")
	}
	return nil
}
