package redact

import (
	"errors"
	"net"
	"net/http"
	"regexp"
	"strings"

	"lyceum/domain/text"
)

// hidden replaces text that may be secret.
const hidden = "…"

// secrets matches text that may be an API key, the token of a learner, the secret of a webhook, an
// email address, the signature of a download or the token of an invitation, escaped or not, complete
// or truncated. The local part of an address may be quoted, and may contain apostrophes. It also
// matches each word that escapes a letter, a digit, an underscore or a percent sign: URLs do not need
// the first three, and any part of a secret can be escaped, also twice.
var secrets = regexp.MustCompile(
	`(?i)ly[ct](?:_|%5f)[0-9a-z%]+|whsec(?:_|%5f)[0-9a-z+/=%]+|` +
		`(?:"(?:[^"\n]|\\")*"@|[^\s"'<>(),;][^\s"<>(),;]*(?:@|%40))[^\s"'<>(),;]+|` +
		`signature(?:=|%3d)[^\s&"]+|[0-9a-f]{16,}|` +
		`[^\s"'<>(),;]*%(?:25|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)[^\s"'<>(),;]*`)

// minDigits is the number of hexadecimal digits from which secrets matches them. It is less than
// half of a token, so that most of a token with a wrong character is hidden, and more than the
// longest group of digits in a UUID.
const minDigits = 16

// Text returns the text of an error for the log: without secrets, and truncated.
func Text(s string) string {
	shown := beginning(s, maxText)
	if len(s) > maxText {
		shown = strings.ToValidUTF8(shown, "") + hidden
	}
	return shown
}

// Connection returns the text of an error of a connection to a client for the log, like Text and
// without the addresses of the connection.
func Connection(err error) string {
	text := err.Error()
	if failed := (*net.OpError)(nil); errors.As(err, &failed) && failed.Err != nil {
		text = strings.ReplaceAll(text, failed.Error(), failed.Op+": "+failed.Err.Error())
	}
	return Text(text)
}

const (
	// maxText is the maximum number of bytes of the logged text of an error. A search for secrets
	// can read the rest of a text once for each of its words.
	maxText = 2048
	// maxAgent is the maximum number of bytes of a logged user agent.
	maxAgent = 200
	// maxSecret is the number of additional bytes that are searched for the rest of a secret. An
	// email address has at most 254 bytes, and a key has fewer.
	maxSecret = 256
)

// Agent returns a user agent for the log: in printable ASCII, without secrets, and truncated.
func Agent(agent string) string {
	agent = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, agent[:min(len(agent), maxAgent+maxSecret)])
	if !mayHoldSecret(agent) {
		return agent[:min(len(agent), maxAgent)]
	}
	return beginning(agent, maxAgent)
}

// beginning returns the first most bytes of s, with the secrets hidden that begin in them.
func beginning(s string, most int) string {
	s = s[:min(len(s), most+maxSecret)]
	var shown strings.Builder
	from, end := 0, min(len(s), most)
	for _, secret := range secrets.FindAllStringIndex(s, -1) {
		if secret[0] >= end {
			break
		}
		shown.WriteString(s[from:secret[0]] + hidden)
		from = secret[1]
	}
	return shown.String() + s[min(from, end):end]
}

// mayHoldSecret reports whether secrets may match s. It is much faster than the match, which reads
// each word of s once for each of its characters.
func mayHoldSecret(s string) bool {
	digits := 0 // hexadecimal digits before the next character
	for _, c := range []byte(s) {
		switch {
		case c == '@', c == '%', c == '=':
			return true
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
			if digits++; digits == minDigits {
				return true
			}
		default:
			digits = 0
		}
	}
	return MayHoldKey(s)
}

// Method returns a method for the log; a method that HTTP does not define is hidden.
func Method(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions, http.MethodTrace, http.MethodConnect:
		return method
	}
	return hidden
}

// maxPath is the maximum size in bytes of a logged path. Longer paths are cut at a slash.
const maxPath = 512

// Path returns a path for the log. It keeps the words of routes, IDs of records and permalinks of
// courses, and hides everything else. It does so even if the path has no route, because a
// misspelled path can contain a secret. words contains the words of routes. template is the path of
// the route, or "".
func Path(words map[string]bool, template, escaped string) string {
	segments := strings.Split(escaped, "/")
	for i, word := range segments {
		_, isID := text.UUID(word)
		switch {
		case word == "", isID, words[word]:
		case courseSegment(template, i) && permalink.MatchString(word) && !secrets.MatchString(word):
		default:
			segments[i] = hidden
		}
	}
	path := strings.Join(segments, "/")
	if len(path) > maxPath {
		path = path[:strings.LastIndexByte(path[:maxPath], '/')+1] + hidden
	}
	return path
}

var permalink = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// courseSegment reports whether the i-th segment of a route is the ID or permalink of a
// course.
func courseSegment(template string, i int) bool {
	segments := strings.Split(template, "/")
	return i > 0 && i < len(segments) && segments[i-1] == "courses" && strings.HasPrefix(segments[i], ":")
}

// MayHoldKey reports whether s may contain an API key, the token of a learner or the secret of a
// webhook.
func MayHoldKey(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "lyc_") || strings.Contains(s, "lyt_") || strings.Contains(s, "whsec_")
}
