package httpapi

import (
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// keyless is the paths that answer without a key, as they are routed; the links
// to files carry a signature in its place.
func (s *server) keyless() []string {
	paths := []string{healthzPath, readyzPath}
	if s.links.servesFiles() {
		paths = append(paths, downloadPath)
	}
	return paths
}

// needsKey tells whether the request's path is answered only with a key,
// whatever its method.
func (s *server) needsKey(c *gin.Context) bool {
	return !slices.ContainsFunc(s.keyless(), func(path string) bool { return matches(path, c.Request.URL.EscapedPath()) })
}

// matches tells whether a path, escaped, is one of those that are routed as
// pattern.
func matches(pattern, path string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, have, func(w, h string) bool {
		return w == h || strings.HasPrefix(w, ":") && h != ""
	})
}
