package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxURL is the maximum length of a web address, in characters: all browsers and proxies accept it.
const MaxURL = 2048

// URL returns s trimmed if it is an absolute web address: http or https, a host name with an
// optional port, then any path, query and fragment, without white space and without characters that
// must be escaped. User names and IP addresses in brackets are not allowed. The address keeps its
// spelling. Otherwise URL returns a fault on field.
func URL(field, s string) (string, error) {
	s = strings.TrimSpace(s)
	if err := CheckText(field, s); err != nil {
		return "", err
	}
	if s == "" {
		return "", fault.Blank(field)
	}
	if utf8.RuneCountInString(s) > MaxURL {
		return "", fault.Invalidf(field, "is too long (maximum is %d characters)", MaxURL)
	}
	if !isWebAddress(s) {
		return "", fault.Invalidf(field, "must be an absolute http or https URL")
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
