package app

import "lyceum/domain/school"

// Actor is on whose behalf a use case runs, and so in which school. Only
// authentication makes one from outside; System makes one for the operator.
type Actor struct {
	school    school.ID
	key       school.KeyID // zero for the operator
	scope     school.Scope // what the actor may do
	rehearses bool         // whether what the actor does is not to be kept
	joined    *joined      // the transaction that all the actor does is part of; nil: each has its own
}

// System returns the actor for the operator's own work in school s: the
// command line and background workers.
func System(s school.ID) Actor { return Actor{school: s, scope: school.Admin} }

// Rehearsing returns an actor who does the same as a, but nothing of it is kept:
// what would have been refused is refused, anything else is undone. So somebody
// who knows already that a request is wrong learns what else is wrong with it.
func (a Actor) Rehearsing() Actor {
	a.rehearses = true
	return a
}

// Require returns nil when the actor may do what needs that scope; otherwise it
// forbids. Transports ask before everything else, use cases where it is only a
// circumstance that needs more.
func (a Actor) Require(needed school.Scope) error { return a.scope.Check(needed) }

// School returns the school in which the actor acts.
func (a Actor) School() school.ID { return a.school }

// Key returns the id of the API key that the actor showed; it is zero for the
// operator. It is no secret, so logs may hold it.
func (a Actor) Key() school.KeyID { return a.key }

// dependent tells whether what the actor does belongs to a transaction that has
// more in it, or is to be dropped.
func (a Actor) dependent() bool { return a.joined != nil || a.rehearses }
