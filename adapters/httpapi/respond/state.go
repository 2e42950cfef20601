package respond

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/admission"
	"lyceum/app/usecase"
)

// State is the state of a request, which middleware and handlers share.
type State struct {
	RequestID string
	MediaType string          // of the answer's body
	Accepted  bool            // whether the client accepts that type
	Query     []Parameter     // the request's parameters
	Actor     usecase.Actor   // zero until the key is recognized
	BodyLimit int64           // how many bytes the body may have; 0: as many as usual
	Secret    *Holder         // the record whose secret the answer shows; nil: none
	Slot      *admission.Slot // in which the request runs; nil: none
	Recording bool            // whether the response is recorded before it is sent
	// ManyParameters says that the query has more parameters than it may have, so that
	// Query has none.
	ManyParameters bool
}

// Origin returns where the request comes from.
func (x *State) Origin() admission.Origin {
	return admission.Origin{School: x.Actor.School().UUID, Key: x.Actor.Key().UUID}
}

// KeyParameter is the query parameter that may hold the API key.
const KeyParameter = "api_key"

const stateKey = "state"

// Begin gives c the state that StateOf returns.
func Begin(c *gin.Context, x *State) { c.Set(stateKey, x) }

// StateOf returns the state of a request.
func StateOf(c *gin.Context) *State {
	return c.MustGet(stateKey).(*State)
}
