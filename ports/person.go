package ports

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// NewPerson is a person to insert. The caller does not know the school's authentication method, so
// Admitting and Inviting list the methods with which the rules allow the person to be created and
// invited.
type NewPerson struct {
	Person     person.Person
	Admitting  []school.AuthMethod // the person may be created if the school uses one of these methods
	Inviting   []school.AuthMethod // the person is invited if the school uses one of these methods
	Invitation invitation.Invitation
	Job        job.Job // the job that delivers the invitation
}

// PersonReader reads people, including learners.
type PersonReader interface {
	Lister[person.Summary]

	// Get returns the person with the given id, or NotFound if there is none.
	Get(ctx context.Context, id person.ID) (person.Summary, error)

	// ListAudience is like List, but restricted to the people of an audience.
	ListAudience(ctx context.Context, in Audience, q query.Query) (query.Result[person.Summary], error)
}

// Audience restricts a list of people to those who belong to certain courses and groups, in any
// role. A nil field restricts nothing. An empty field selects no person.
type Audience struct {
	Courses []course.ID // people with an enrollment in one of these courses
	Groups  []group.ID  // people with a membership in one of these groups
}

// PersonRepo reads and writes people.
type PersonRepo interface {
	PersonReader

	// GetForUpdate returns the person with the given id and locks it for update, or returns
	// NotFound if there is none.
	GetForUpdate(ctx context.Context, id person.ID) (person.Person, error)

	// GetManyForShare returns the people with the given ids, as a map by id that omits ids that do
	// not exist. It locks them against deletion.
	GetManyForShare(ctx context.Context, ids []person.ID) (map[person.ID]person.Person, error)

	// ByEmail returns the people with the given email addresses, as a map by the text.UniqueKey of
	// the address. The map omits addresses without a person.
	ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error)

	// Add inserts a new person. If another person has the same email address (by text.UniqueKey),
	// Add returns Invalid on the field email, with that person as the holder.
	Add(ctx context.Context, p person.Person) error

	// AddIfAbsent inserts the new people whose email address (by text.UniqueKey) is not taken; of
	// several people with the same address, it inserts the first. It returns the ids of the
	// inserted people. It waits for a concurrent transaction that takes one of the addresses.
	AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error)

	// Save updates a person. It returns NotFound if the person does not exist. It refuses an
	// address that is taken, like Add.
	Save(ctx context.Context, p person.Person) error

	// Delete deletes the person with the given id. It returns NotFound if there is none. It returns
	// an error if any record of the person exists: enrollments, memberships, partnerships, course
	// attempts, quiz attempts, submissions, events, redemptions, sessions, tokens or an invitation.
	Delete(ctx context.Context, id person.ID) error
}

// PartnershipReader reads partnerships.
type PartnershipReader interface {
	Lister[person.Partnership]

	// Get returns the partnership with the given id, or NotFound if there is none.
	Get(ctx context.Context, id person.PartnershipID) (person.Partnership, error)
}

// PartnershipRepo reads and writes partnerships.
type PartnershipRepo interface {
	PartnershipReader

	// GetManyForShare returns the partnerships with the given ids, as a map by id that omits ids
	// that do not exist. It locks them against deletion.
	GetManyForShare(ctx context.Context, ids []person.PartnershipID) (map[person.PartnershipID]person.Partnership, error)

	// ExistsForShare reports whether a partnership exists, and locks it against deletion.
	ExistsForShare(ctx context.Context, id person.PartnershipID) (bool, error)

	// InstructsForShare reports whether the partnership id is an instructor of the course in, and
	// locks it against its removal from the course. Other changes of the course do not wait for it.
	InstructsForShare(ctx context.Context, id person.PartnershipID, in course.ID) (bool, error)

	// OwnersForUpdate returns the ids of all partnerships as owner, in ascending order, and locks
	// them against another OwnersForUpdate and against deletion. GetManyForShare and ExistsForShare
	// do not wait for it.
	OwnersForUpdate(ctx context.Context) ([]person.PartnershipID, error)

	// AddIfAbsent inserts p unless the person already has that role, and reports whether it
	// inserted it. It returns NotFound if the person does not exist.
	AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error)

	// ByPerson returns the partnerships of a person, ordered by id.
	ByPerson(ctx context.Context, id person.ID) ([]person.Partnership, error)

	// Delete deletes the partnership with the given id. It returns NotFound if there is none, and
	// an error if the partnership is an instructor of a course.
	Delete(ctx context.Context, id person.PartnershipID) error
}
