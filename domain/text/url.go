package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxURL is the longest web address, in characters: what every browser and proxy
// takes.
const MaxURL = 2048

// URL returns s trimmed when it is an absolute web address: http or https, a
// host's name with or without a port, then whatever follows, without white space
// and the characters that an address must escape. It names no user and no IP
// address in brackets. The address is kept as written. Otherwise URL returns the
// fault of field.
func URL(field, s string) (string, error) {
	s = strings.TrimSpace(s)
	if err := Clean(field, s); err != nil {
		return "", err
	}
	if s == "" {
		return "", fault.Blank(field)
	}
	if utf8.RuneCountInString(s) > MaxURL {
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxURL)
	}
	if !isWebAddress(s) {
		return "", fault.Invalidf(field, "is not an absolute http or https URL")
	}
	return s, nil
}

func isWebAddress(s string) bool {
	scheme, rest, _ := strings.Cut(s, "://")
	if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" {
		return false
	}
	authority, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(rest), "/")
	host, port, hasPort := strings.Cut(authority, ":")
	if !isHost(host) || hasPort && !isPort(port) {
		return false
	}
	return !strings.ContainsFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsGraphic(r) || strings.ContainsRune("\"<>\\^`{|}", r)
	})
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}
