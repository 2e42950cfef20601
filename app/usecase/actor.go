package usecase

import (
	"lyceum/domain/school"
	"lyceum/ports"
)

// Actor is on whose behalf a use case runs, and so in which school. Only
// authentication makes one from outside; System makes one for the operator.
type Actor struct {
	school school.ID
	key    school.KeyID // zero for the operator
	scope  school.Scope // what the actor may do
	dryRun bool         // whether what the actor does is not to be kept
	shared *SharedTx    // the transaction that all the actor does is part of; nil: each has its own
}

// System returns the actor for the operator's own work in school s: the
// command line and background workers.
func System(s school.ID) Actor { return Actor{school: s, scope: school.Admin} }

// ByKey returns the actor that has shown the key k.
func ByKey(k school.Key) Actor { return Actor{school: k.School, key: k.ID, scope: k.Scope} }

// DryRun returns an actor whose transactions are rolled back: use cases report every
// fault but save nothing. It lets a handler that has already found faults in a
// document collect the remaining ones.
func (a Actor) DryRun() Actor {
	a.dryRun = true
	return a
}

// IsDryRun reports whether nothing that the actor does is kept.
func (a Actor) IsDryRun() bool { return a.dryRun }

// WithoutKey returns an actor in the school s that has shown no key, but has the
// transaction of a and is a dry run if a is.
func (a Actor) WithoutKey(s school.ID) Actor {
	a.school, a.key = s, school.KeyID{}
	return a
}

// Sharing returns an actor all of whose transactions are part of tx, and what there
// is to know of tx afterwards.
func (a Actor) Sharing(tx ports.Tx) (Actor, *SharedTx) {
	a.shared = &SharedTx{tx: tx}
	return a, a.shared
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

// Dependent reports whether what the actor does belongs to a transaction that has
// more in it, or is to be dropped.
func (a Actor) Dependent() bool { return a.shared != nil || a.dryRun }
