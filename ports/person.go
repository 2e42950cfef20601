package ports

import (
	"context"

	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// NewPerson is a person to insert. The school's authentication method is not known yet, so
// Admitting and Inviting list the methods for which the rules allow it.
type NewPerson struct {
	Person     person.Person
	Admitting  []school.AuthMethod // the person may be created with these methods
	Inviting   []school.AuthMethod // the person is invited with these methods
	Invitation invitation.Invitation
	Job        job.Job // delivers the invitation
}

// PersonReader reads people, including learners.
type PersonReader interface {
	Lister[person.Summary]

	// Get returns the person id, or NotFound if there is none.
	Get(ctx context.Context, id person.ID) (person.Summary, error)
}

// PersonRepo reads and writes people.
type PersonRepo interface {
	PersonReader

	// GetForUpdate returns the person id and locks it for update, NotFound if there is none.
	GetForUpdate(ctx context.Context, id person.ID) (person.Person, error)

	// GetManyForShare returns the people ids, each once, by id; the result omits ids that do not
	// exist. It locks them against deletion.
	GetManyForShare(ctx context.Context, ids []person.ID) (map[person.ID]person.Person, error)

	// ByEmail returns the people with these email addresses, by the text.UniqueKey of the address;
	// the result omits addresses without a person.
	ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error)

	// Add inserts a new person. If another person has the same email address (by text.UniqueKey),
	// Add returns Invalid on the field email, with that person as the holder.
	Add(ctx context.Context, p person.Person) error

	// AddIfAbsent inserts those of the new people ps whose email address (by text.UniqueKey) is
	// free, the first of several with the same address, and returns the ids of the inserted ones.
	// It waits for a concurrent transaction that takes one of the addresses.
	AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error)

	// Save updates a person, NotFound if it does not exist. An address that is taken is refused as
	// by Add.
	Save(ctx context.Context, p person.Person) error

	// Delete deletes the person id, NotFound if there is none. It returns an error if any record of
	// the person exists: enrollments, memberships, partnerships, course attempts, quiz attempts,
	// submissions, events, redemptions or an invitation.
	Delete(ctx context.Context, id person.ID) error
}

// PartnershipReader reads partnerships.
type PartnershipReader interface {
	Lister[person.Partnership]

	// Get returns the partnership id, or NotFound if there is none.
	Get(ctx context.Context, id person.PartnershipID) (person.Partnership, error)
}

// PartnershipRepo reads and writes partnerships.
type PartnershipRepo interface {
	PartnershipReader

	// GetManyForShare returns the partnerships ids, each once, by id; the result omits ids that do
	// not exist. It locks them against deletion.
	GetManyForShare(ctx context.Context, ids []person.PartnershipID) (map[person.PartnershipID]person.Partnership, error)

	// OwnersForUpdate returns the ids of all partnerships as owner, in their order, and locks them
	// for update.
	OwnersForUpdate(ctx context.Context) ([]person.PartnershipID, error)

	// AddIfAbsent inserts p unless the person already has that role, and reports whether it did.
	// NotFound if there is no such person.
	AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error)

	// ByPerson returns the partnerships of a person, by id.
	ByPerson(ctx context.Context, id person.ID) ([]person.Partnership, error)

	// Delete deletes the partnership id, NotFound if there is none. It returns an error if it is an
	// instructor of a course.
	Delete(ctx context.Context, id person.PartnershipID) error
}
