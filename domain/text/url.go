package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxURL is the maximum length of a web address, in characters. All browsers and proxies accept
// this length.
const MaxURL = 2048

// URL returns s without surrounding white space if it is an absolute web address: http or https, a
// host name with an optional port, then an optional path, query and fragment. It must not contain
// white space or characters that must be escaped, a user name, or an IP address in brackets. URL
// does not change the spelling. If s is not such an address, URL returns a fault on field.
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
