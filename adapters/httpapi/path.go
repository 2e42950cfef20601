package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// paths is a set of paths. One that ends with a slash stands for all that lies
// below it.
type paths []string

// hold tells whether path is in the set.
func (set paths) hold(path string) bool {
	return slices.ContainsFunc(set, func(p string) bool {
		return path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p)
	})
}

// plainPaths passes requests on with their path in its one plain form: without
// doubled or trailing slashes, and with nothing escaped that need not be. So
// gin, which would redirect or not find them, serves all spellings, and an
// escaped slash within a segment stays what it is.
func plainPaths(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if escaped := r.URL.EscapedPath(); !isPlain(escaped) {
			r2, u := *r, *r.URL
			u.Path, u.RawPath = plainPath(escaped)
			r2.URL = &u
			r = &r2
		}
		h.ServeHTTP(w, r)
	})
}

func isPlain(escaped string) bool {
	return !strings.Contains(escaped, "//") && !strings.Contains(escaped, "%") &&
		(escaped == "/" || strings.HasPrefix(escaped, "/") && !strings.HasSuffix(escaped, "/"))
}

// plainPath returns the plain form of an escaped path, and that form escaped.
func plainPath(escaped string) (path, raw string) {
	for segment := range strings.SplitSeq(escaped, "/") {
		if segment == "" {
			continue
		}
		name, err := url.PathUnescape(segment)
		if err != nil {
			name = segment
		}
		path += "/" + name
		raw += "/" + url.PathEscape(name)
	}
	if path == "" {
		return "/", "/"
	}
	return path, raw
}
