package audit

import (
	"github.com/google/uuid"
	"lyceum/domain/person"
)

// ActorType is a kind of actors.
type ActorType string

// The kinds of actors.
const (
	Unknown      ActorType = ""              // written before the trail existed, or not by this program
	APIKey       ActorType = "api_key"       // a request with an API key, or its bulk job
	LearnerToken ActorType = "learner_token" // a request with the token of a learner
	Session      ActorType = "session"       // a page of the academy or of the teaching app, or rows of an import of the latter
	Invitation   ActorType = "invitation"    // a person with an invitation link
	Visitor      ActorType = "visitor"       // a request without credentials
	Operator     ActorType = "operator"      // a command of the operator
	Job          ActorType = "job"           // background work
)

// UnknownName is the name of the type Unknown.
const UnknownName = "unknown"

// String returns the name of the type.
func (t ActorType) String() string {
	if t == Unknown {
		return UnknownName
	}
	return string(t)
}

// Actor is the originator of an event.
type Actor struct {
	Type   ActorType
	ID     uuid.UUID // of the API key, token, session or job; zero: none, as for rows of an import
	Person person.ID // whose token, session or invitation it is; zero: none
}

// Origin is an actor and the request that the actor sent.
type Origin struct {
	Actor
	Request string // ID of the request; blank: none
	Address string // IP address of the client; blank: unknown, not recorded or erased
}
