package httpapi

// version is a version of the API, the first segment of its paths. Both versions share the handlers
// of a resource. The version determines the required members of a document (strict) and its links
// (Links).
type version string

// The versions.
const (
	v1 version = "/v1"
	v2 version = "/v2"
)

// strict reports whether a document must contain the type of the resource and, for a change, its
// ID. If the type and the ID are optional but present, they are still checked.
func (v version) strict() bool { return v == v1 }

// in returns a copy of s for version v of the API.
func (s *server) in(v version) *server {
	c := *s
	c.version = v
	c.lists = c.newLists()
	return &c
}
