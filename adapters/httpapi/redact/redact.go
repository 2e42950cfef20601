package redact

import (
	"net/http"
	"regexp"
	"strings"

	"lyceum/domain/text"
)

// hidden is written to the log in the place of what may be secret.
const hidden = "…"

// secrets finds what may be an API key, the email address of a person, the
// signature of a download or the token of a link, escaped or not, whole or not.
var secrets = regexp.MustCompile(
	`(?i)lyc(?:_|%5f)[0-9a-z%]+|[^\s"'<>(),;]+(?:@|%40)[^\s"'<>(),;]+|signature=[^\s&"]+|\b[0-9a-f]{32,}`)

// Text returns the text of an error as it may be logged.
func Text(s string) string { return secrets.ReplaceAllString(s, hidden) }

const (
	// maxAgent is how many bytes of a user agent are logged.
	maxAgent = 200
	// maxSecret is how many bytes beyond these are searched, for a secret that begins
	// among them: an email address has at most 254 bytes, a key has fewer.
	maxSecret = 256
)

// Agent returns the user agent as it may be logged: printable ASCII.
func Agent(agent string) string {
	agent = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, agent[:min(len(agent), maxAgent+maxSecret)])
	var shown strings.Builder
	from, end := 0, min(len(agent), maxAgent)
	for _, secret := range secrets.FindAllStringIndex(agent, -1) {
		if secret[0] >= end {
			break
		}
		shown.WriteString(agent[from:secret[0]] + hidden)
		from = secret[1]
	}
	return shown.String() + agent[min(from, end):end]
}

// Method returns a method as it may be logged: one that HTTP defines.
func Method(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions, http.MethodTrace, http.MethodConnect:
		return method
	}
	return hidden
}

// maxPath is how many bytes of a path are logged, up to a slash.
const maxPath = 512

// Path returns a path as it may be logged: words, which are those of routes, the ids of
// records and the permalinks of courses. Everything else is hidden, also where
// the path leads nowhere: a secret that is misspelt, or sent to the wrong
// address, is still nearly the secret. template is that of the path's route,
// blank when it has none.
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

// courseSegment reports whether the i-th segment of a route names a course.
func courseSegment(template string, i int) bool {
	segments := strings.Split(template, "/")
	return i > 0 && i < len(segments) && segments[i-1] == "courses" && strings.HasPrefix(segments[i], ":")
}

// MayHoldKey reports whether s may hold an API key.
func MayHoldKey(s string) bool { return strings.Contains(strings.ToLower(s), "lyc_") }
