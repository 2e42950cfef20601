package description

import (
	"sync"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/reference"
	"lyceum/adapters/httpapi/respond"
)

// Server serves the description of the API and its reference.
type Server struct {
	*respond.Responder
	Base    string // base URL of the API
	DemoKey string // key of the demo school for the examples; blank: none
	// Delay delays a request for a file of the given size in bytes, or refuses it.
	Delay func(c *gin.Context, size int) error

	reference func() (*reference.Reference, error)
}

// New returns a server with the given values.
func New(s Server) *Server {
	s.reference = sync.OnceValues(func() (*reference.Reference, error) { return reference.New(s.root()) })
	return &s
}
