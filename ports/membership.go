package ports

import (
	"context"

	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// MembershipReader reads memberships.
type MembershipReader interface {
	Lister[membership.Membership]

	// Get returns the membership id, NotFound when there is none.
	Get(ctx context.Context, id membership.ID) (membership.Membership, error)

	// Members returns the people who are members (not managers) of the group, in
	// the order of their ids; none when there is no such group.
	Members(ctx context.Context, id group.ID) ([]person.ID, error)
}

// MembershipRepo reads and writes memberships. The counts that lists show
// (group.Summary's MembershipCount, person.Summary's GroupCount) follow from the
// memberships as member and are right at the end of every transaction, under
// any concurrency; one group's memberships do not wait for each other.
type MembershipRepo interface {
	MembershipReader

	// AddIfAbsent keeps those of ms whose person does not have that role in that
	// group yet, one of several alike, and returns how many it kept. When a
	// person or a group does not exist it is refused with an error.
	AddIfAbsent(ctx context.Context, ms []membership.Membership) (int, error)

	// Remove forgets the memberships as role of people in the group and returns
	// how many there were; those that do not exist are passed over.
	Remove(ctx context.Context, g group.ID, role membership.Role, people []person.ID) (int, error)

	// Leave forgets the memberships as role of the person in groups and returns how
	// many there were; those that do not exist are passed over.
	Leave(ctx context.Context, p person.ID, role membership.Role, groups []group.ID) (int, error)

	// RemoveByID forgets the membership id, NotFound when there is none.
	RemoveByID(ctx context.Context, id membership.ID) error

	// RemoveOfPerson forgets all memberships of a person.
	RemoveOfPerson(ctx context.Context, p person.ID) error

	// RemoveOfGroup forgets all memberships of a group.
	RemoveOfGroup(ctx context.Context, g group.ID) error
}
