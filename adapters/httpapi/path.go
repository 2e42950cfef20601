package httpapi

import (
	"cmp"
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

const (
	// maxPath is how many bytes a path may have: a name of a file has 3 KB at most,
	// with every byte escaped.
	maxPath = 8 << 10
	// maxSlashes is how many slashes a path may have. The routes have six at most.
	maxSlashes = 64
	// overlongPath stands for every path beyond these limits. It is the path of no route.
	overlongPath = "/…"
)

// plainPaths passes requests on with their path in its one plain form: without
// doubled or trailing slashes, and with nothing escaped that need not be. So
// gin, which would redirect or not find them, serves all spellings, and an
// escaped slash within a segment stays what it is. A path that is too long for
// any route is replaced by one that has no route: anybody may send it, and all
// that handles a path takes time for each byte.
func plainPaths(h http.Handler) http.Handler {
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

// plainURL returns the plain form of the path of u, and that form escaped. Both are
// blank if the path has its plain form.
func plainURL(u *url.URL) (path, raw string) {
	if sent := cmp.Or(u.RawPath, u.Path); len(sent) > maxPath || strings.Count(sent, "/") > maxSlashes {
		return overlongPath, ""
	}
	if escaped := u.EscapedPath(); !isPlain(escaped) {
		return plainPath(escaped)
	}
	return "", ""
}

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
