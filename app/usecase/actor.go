package usecase

import (
	"lyceum/domain/school"
	"lyceum/ports"
)

// An Actor identifies the caller on whose behalf a use case runs, the school and the scope.
// Authentication creates actors for requests, and SystemActor creates them for commands and jobs.
type Actor struct {
	school school.ID
	key    school.KeyID // zero for the operator
	scope  school.Scope
	dryRun bool      // whether transactions are rolled back
	shared *SharedTx // the transaction of all use cases; nil: each has its own
}

// SystemActor returns the actor of commands and jobs in school s.
func SystemActor(s school.ID) Actor { return Actor{school: s, scope: school.Admin} }

// ByKey returns the actor for a request with the key k.
func ByKey(k school.Key) Actor { return Actor{school: k.School, key: k.ID, scope: k.Scope} }

// DryRun returns an actor whose transactions are rolled back: use cases report every
// fault but save nothing. It lets a handler that has already found faults in a
// document collect the remaining ones.
func (a Actor) DryRun() Actor {
	a.dryRun = true
	return a
}

// IsDryRun reports whether the actor's transactions are rolled back.
func (a Actor) IsDryRun() bool { return a.dryRun }

// WithoutKey returns an actor without a key in school s. Like a, it may share a transaction and be
// a dry run.
func (a Actor) WithoutKey(s school.ID) Actor {
	a.school, a.key = s, school.KeyID{}
	return a
}

// Sharing returns an actor that uses tx for all its transactions. It also returns the state that
// its use cases share.
func (a Actor) Sharing(tx ports.Tx) (Actor, *SharedTx) {
	a.shared = &SharedTx{tx: tx}
	return a, a.shared
}

// Require returns a Forbidden fault unless the actor's scope includes the needed one. Transports
// call it for each route. Use cases call it only if the needed scope depends on the request.
func (a Actor) Require(needed school.Scope) error { return a.scope.Check(needed) }

// School returns the school in which the actor acts.
func (a Actor) School() school.ID { return a.school }

// Key returns the ID of the actor's API key; zero for the operator. It is not secret and may be
// logged.
func (a Actor) Key() school.KeyID { return a.key }

// Dependent reports whether the actor's transactions are part of a larger transaction, or are
// rolled back.
func (a Actor) Dependent() bool { return a.shared != nil || a.dryRun }
