package usecase

import (
	"cmp"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// An Actor identifies the caller on whose behalf a use case runs, the school and the scope.
// Authentication creates actors for requests, and SystemActor creates them for commands and jobs.
//
// An actor can be a learner (ByLearner). Transactions and reads are refused to a learner until the
// use case has checked what the learner may do: see ActFor, Own, OnCourse and Permit. A use case
// without such a check is therefore closed to learners.
//
// An actor can be a person of the staff (ByStaff). Everything is refused to them until package
// teaching has checked what their role permits: see PermitStaff.
type Actor struct {
	school    school.ID
	key       school.KeyID         // zero for the operator and for learners
	scope     school.Scope         // zero for learners
	learner   person.ID            // zero unless the actor is a learner
	staff     person.ID            // zero unless the actor is a person of the staff
	role      person.PartnershipID // of the person of the staff
	resigns   bool                 // whether the transaction ends the role
	course    course.ID            // that the person of the staff must instruct; zero: none
	token     uuid.UUID            // of the learner; zero for a person with a session
	session   signin.Session       // of the learner or of the person of the staff; zero for a token
	permitted bool                 // whether a use case has checked what the learner or the person of the staff may do
	slug      string               // of the school; blank if documents are not for clients

	dryRun bool      // whether transactions are rolled back
	shared *SharedTx // transaction shared by use cases; nil: each has its own
}

// SystemActor returns the actor of commands and jobs in school s.
func SystemActor(s school.ID) Actor { return Actor{school: s, scope: school.Admin} }

// ByKey returns the actor for a request with the key k.
func ByKey(k school.Key) Actor { return Actor{school: k.School, key: k.ID, scope: k.Scope} }

// OnBehalfOf returns the actor of a job that executes a request of the caller by, who is an API key,
// a person of the staff or the operator. The use case of the job checks itself that the key or the
// role is still valid: see package bulk.
func OnBehalfOf(s school.ID, by policy.Actor) Actor {
	return Actor{school: s, key: by.Key, scope: by.Scope, staff: by.Staff}
}

// ByLearner returns the actor for a request of the person p, who may use only their own records and
// the courses in which they are enrolled as a learner, whatever other roles they have. token is the
// ID of the token that authenticated the person. It is not secret.
func ByLearner(s school.ID, p person.ID, token uuid.UUID) Actor {
	return Actor{school: s, learner: p, token: token}
}

// BySession returns the actor for a page of the academy that the person of the session in has
// opened, who has the same permissions as with ByLearner.
func BySession(s school.ID, in signin.Session) Actor {
	return Actor{school: s, learner: in.Person, session: in}
}

// ByStaff returns the actor for a page of the teaching app that the person of the session in has
// opened. role is the partnership with the highest role of the person, and scope is the scope that
// the role has.
func ByStaff(s school.ID, in signin.Session, role person.PartnershipID, scope school.Scope) Actor {
	return Actor{school: s, staff: in.Person, session: in, role: role, scope: scope}
}

// Resigning returns a copy of a for a transaction that deletes the partnership id. If it is the
// role of a, the transaction may end it: the deletion fails if the role has already ended.
func (a Actor) Resigning(id person.PartnershipID) Actor {
	a.resigns = a.role == id
	return a
}

// Instructing returns a copy of a, an instructor, that may act only as long as a instructs the
// course id.
func (a Actor) Instructing(id course.ID) Actor {
	a.course = id
	return a
}

// WithSlug returns a copy of a with the slug of its school, which links in documents contain.
func (a Actor) WithSlug(slug string) Actor {
	a.slug = slug
	return a
}

// Slug returns the slug of the school for links; blank for the operator.
func (a Actor) Slug() string { return a.slug }

// DryRun returns an actor whose transactions are rolled back: use cases report every fault but save
// nothing. It lets a handler that has already found faults in a document collect the remaining
// faults.
func (a Actor) DryRun() Actor {
	a.dryRun = true
	return a
}

// IsDryRun reports whether the actor's transactions are rolled back.
func (a Actor) IsDryRun() bool { return a.dryRun }

// WithoutKey returns a copy of a for school s that has no API key. The copy keeps the shared
// transaction and the dry-run mode of a.
func (a Actor) WithoutKey(s school.ID) Actor {
	a.school, a.key = s, school.KeyID{}
	return a
}

// Sharing returns an actor that uses tx for all its transactions. It also returns the SharedTx,
// which reports whether the transaction must be rolled back.
func (a Actor) Sharing(tx ports.Tx) (Actor, *SharedTx) {
	a.shared = &SharedTx{tx: tx}
	return a, a.shared
}

// Require returns a Forbidden fault unless the actor's scope includes the needed one. Transports
// call it for each route. Use cases call it only if the needed scope depends on the request.
// Learners have no scope.
func (a Actor) Require(needed school.Scope) error {
	if a.IsLearner() {
		return errNotForLearners
	}
	return a.scope.Check(needed)
}

// IsStaff reports whether the actor is the person p of the staff.
func (a Actor) IsStaff(p person.ID) bool { return a.staff != (person.ID{}) && a.staff == p }

// School returns the school in which the actor acts.
func (a Actor) School() school.ID { return a.school }

// Key returns the ID of the actor's API key; zero for the operator and for learners. It is not
// secret and may be logged.
func (a Actor) Key() school.KeyID { return a.key }

// Learner returns the person if the actor is a learner, otherwise zero.
func (a Actor) Learner() person.ID { return a.learner }

// IsLearner reports whether the actor is a learner.
func (a Actor) IsLearner() bool { return a.learner != person.ID{} }

// Credential returns the ID of the API key, token or session with which the actor authenticated;
// zero for the operator. It is not secret and may be logged.
func (a Actor) Credential() uuid.UUID {
	return cmp.Or(a.token, a.session.ID.UUID, a.key.UUID)
}

// Dependent reports whether the actor's transactions are part of a larger transaction, or are
// rolled back.
func (a Actor) Dependent() bool { return a.shared != nil || a.dryRun }
