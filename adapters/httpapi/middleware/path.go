package middleware

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
)

const (
	// maxPath is the maximum size of a path in bytes. A file name takes at most 3 KB, if every byte
	// is escaped.
	maxPath = 8 << 10
	// maxSlashes is the maximum number of slashes in a path. Routes have at most six.
	maxSlashes = 64
	// overlongPath replaces every path beyond these limits. No route has it.
	overlongPath = "/…"
)

// PlainPaths calls h with the plain form of the path: without doubled or trailing slashes, and
// without unnecessary escapes. Without PlainPaths, gin would redirect such paths or not find them.
// An escaped slash stays part of its segment. A path that is too long for any route is replaced
// with a path without a route, because clients without a key can send it and later steps take time
// for each byte.
func PlainPaths(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path, raw := plainURL(r.URL); path != "" {
			r2, u := *r, *r.URL
			u.Path, u.RawPath = path, raw
			r2.URL = &u
			r = &r2
		}
		h.ServeHTTP(w, r)
	})
}

// plainURL returns the plain form of the path of u, unescaped and escaped. Both are "" if the path
// is already plain.
func plainURL(u *url.URL) (path, raw string) {
	if sent := cmp.Or(u.RawPath, u.Path); len(sent) > maxPath || strings.Count(sent, "/") > maxSlashes {
		return overlongPath, ""
	}
	if escaped := u.EscapedPath(); !isPlain(escaped) {
		return plainPath(escaped)
	}
	return "", ""
}

// isPlain reports whether an escaped path is already plain. A path with any escape is rewritten.
func isPlain(escaped string) bool {
	return !strings.Contains(escaped, "//") && !strings.Contains(escaped, "%") &&
		(escaped == "/" || strings.HasPrefix(escaped, "/") && !strings.HasSuffix(escaped, "/"))
}

// plainPath returns the plain form of an escaped path, and that form escaped.
func plainPath(escaped string) (path, raw string) {
	var plain, again strings.Builder
	for segment := range strings.SplitSeq(escaped, "/") {
		if segment == "" {
			continue
		}
		name, err := url.PathUnescape(segment)
		if err != nil {
			name = segment
		}
		plain.WriteString("/" + name)
		again.WriteString("/" + url.PathEscape(name))
	}
	if plain.Len() == 0 {
		return "/", "/"
	}
	return plain.String(), again.String()
}
