package httpapi

// version is a generation of the API, the first segment of its paths. What two
// versions have in common is one set of handlers, registered for each of them;
// what differs follows from the server's version: how much a request must say
// of its resource (strict), and on which version links stand (Links).
type version string

// The versions.
const (
	v1 version = "/v1"
	v2 version = "/v2"
)

// strict tells whether a request that makes or changes a resource must say of
// which type it is and, for a change, with which id. Where it need not, what it
// says is checked all the same.
func (v version) strict() bool { return v == v1 }

// in returns the server as version v of the API.
func (s *server) in(v version) *server {
	c := *s
	c.version = v
	return &c
}
