package respond

import (
	"cmp"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
	"lyceum/app/usecase"
)

// State is the state of a request. Middleware and handlers share it.
type State struct {
	RequestID string
	MediaType string        // media type of the response
	Accepted  bool          // whether the client accepts that type
	CSV       bool          // whether the client prefers CSV to a document; only for lists
	Whole     bool          // whether the response is a whole list as CSV
	Query     []Parameter   // the request's parameters
	Actor     usecase.Actor // zero before authentication
	Presented bool          // whether the request has credentials
	Route     *Attributes   // shared by all requests of the route
	BodyLimit int64         // maximum size of the request's body in bytes
	Secret    *Holder       // record whose secret the response contains; nil: none
	Slot      *limiter.Slot // slots of the request; nil: none
	Slots     int           // number of slots of its class that the request takes
	// RecordUnits is the part of the request's weight that is due to the number of its records.
	RecordUnits int
	Recording   bool // whether the response is recorded before it is sent
	// ManyParameters means that the query has more parameters than allowed. Query is then empty.
	ManyParameters bool
}

// Origin returns the school and the key for which the request takes slots. All tokens of a learner
// count as one key, so that a new token does not avoid a limit.
func (x *State) Origin() limiter.Origin {
	return limiter.Origin{School: x.Actor.School().UUID, Key: cmp.Or(x.Actor.Learner().UUID, x.Actor.Credential())}
}

// Client is like Origin, and says whether the request yields to requests with a key.
func (x *State) Client() limits.Client {
	return limits.Client{Origin: x.Origin(), Yields: x.Actor.IsLearner()}
}

// RateKey returns the key for which the rate limits count the request: the API key, or the learner.
// Schools can have people with the same ID, because a copy of a school keeps the IDs.
func (x *State) RateKey() uuid.UUID {
	if x.Actor.IsLearner() {
		of := x.Actor.Learner().UUID
		return uuid.NewSHA1(x.Actor.School().UUID, of[:])
	}
	return x.Actor.Credential()
}

// KeyParameter is the query parameter that may hold the API key.
const KeyParameter = "api_key"

// The media types of documents.
const (
	MediaJSON    = "application/json; charset=utf-8"
	MediaJSONAPI = "application/vnd.api+json" // JSON:API forbids a charset
	MediaCSV     = "text/csv; charset=utf-8"
)

const stateKey = "state"

// AttachState stores x in c, for StateOf.
func AttachState(c *gin.Context, x *State) { c.Set(stateKey, x) }

// StateOf returns the state of a request. It panics if there is none.
func StateOf(c *gin.Context) *State {
	return c.MustGet(stateKey).(*State)
}
