package ports

import (
	"context"

	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// NewPerson is a person to be added, and what the rules say about each
// authentication method, since the school's is not known yet.
type NewPerson struct {
	Person     person.Person
	Admitting  []school.AuthMethod // under these the person may be added
	Inviting   []school.AuthMethod // under these the person is invited
	Invitation invitation.Invitation
	Job        job.Job // delivers the invitation
}

// PersonReader reads people, learners among them.
type PersonReader interface {
	Lister[person.Summary]

	// Get returns the person id as documents show one, NotFound when there is none.
	Get(ctx context.Context, id person.ID) (person.Summary, error)
}

// PersonRepo reads and writes people.
type PersonRepo interface {
	PersonReader

	// Find returns the person id, NotFound when there is none, and locks the
	// person.
	Find(ctx context.Context, id person.ID) (person.Person, error)

	// Load returns the people ids, each once, by id; those that the school has not
	// are absent. It locks them against removal.
	Load(ctx context.Context, ids []person.ID) (map[person.ID]person.Person, error)

	// ByEmail returns who has these e-mail addresses, by the text.Key of each;
	// addresses that nobody has are absent. It locks nobody.
	ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error)

	// Add keeps a new person. An e-mail address whose text.Key another person has
	// is Invalid, on the field email, with that person as the holder.
	Add(ctx context.Context, p person.Person) error

	// AddIfAbsent keeps those of the new people ps whose e-mail address (by its
	// text.Key) nobody has, the first of several alike, and returns the ids of
	// those that it kept. Who takes one of the addresses meanwhile is waited for.
	AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error)

	// Save keeps a changed person, under Add's rule on addresses; NotFound when
	// there is no such person.
	Save(ctx context.Context, p person.Person) error

	// Remove forgets the person id, NotFound when there is none. It refuses with
	// an error while anything of the person's exists: enrollments, memberships,
	// partnerships, course attempts, quiz attempts, submissions, events,
	// redemptions or an invitation.
	Remove(ctx context.Context, id person.ID) error
}

// PartnershipReader reads the parts that people have in running the school.
type PartnershipReader interface {
	Lister[person.Partnership]

	// Get returns the partnership id, NotFound when there is none.
	Get(ctx context.Context, id person.PartnershipID) (person.Partnership, error)
}

// PartnershipRepo reads and writes the parts that people have in running the
// school.
type PartnershipRepo interface {
	PartnershipReader

	// Load returns the partnerships ids, each once, by id; those that the school
	// has not are absent. It locks them against removal.
	Load(ctx context.Context, ids []person.PartnershipID) (map[person.PartnershipID]person.Partnership, error)

	// Owners returns the ids of all partnerships as owner, in their order, and
	// locks them: against removal, and against another Owners.
	Owners(ctx context.Context) ([]person.PartnershipID, error)

	// AddIfAbsent keeps p unless the person has that role already, and tells
	// whether it was kept. NotFound when there is no such person.
	AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error)

	// Of returns the partnerships of a person in the order of their ids.
	Of(ctx context.Context, id person.ID) ([]person.Partnership, error)

	// Remove forgets the partnership id, NotFound when there is none. It refuses
	// with an error while a course is instructed by it.
	Remove(ctx context.Context, id person.PartnershipID) error
}
