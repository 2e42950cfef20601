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

	// Get returns the membership id, or NotFound if there is none.
	Get(ctx context.Context, id membership.ID) (membership.Membership, error)

	// MemberIDs returns the members (not the managers) of the group, by id. The result is empty if
	// there is no such group.
	MemberIDs(ctx context.Context, id group.ID) ([]person.ID, error)
}

// MembershipRepo reads and writes memberships. The counts in lists (group.Summary's
// MembershipCount, person.Summary's GroupCount) are derived from the memberships as member. They
// are exact at the end of every transaction, under any concurrency; transactions that add people to
// the same group do not wait for each other.
type MembershipRepo interface {
	MembershipReader

	// AddIfAbsent inserts the memberships whose person does not have that role in that group yet,
	// only one of several equal ones, and returns how many it inserted. It returns an error if a
	// person or a group does not exist.
	AddIfAbsent(ctx context.Context, ms []membership.Membership) (int, error)

	// RemovePeople deletes the memberships of people in the group with that role and returns how
	// many it deleted; those that do not exist are ignored.
	RemovePeople(ctx context.Context, g group.ID, role membership.Role, people []person.ID) (int, error)

	// RemoveFromGroups deletes the memberships of the person in groups with that role and returns
	// how many it deleted; those that do not exist are ignored.
	RemoveFromGroups(ctx context.Context, p person.ID, role membership.Role, groups []group.ID) (int, error)

	// Delete deletes the membership id, NotFound if there is none.
	Delete(ctx context.Context, id membership.ID) error

	// DeleteByPerson deletes all memberships of a person.
	DeleteByPerson(ctx context.Context, p person.ID) error

	// DeleteByGroup deletes all memberships of a group.
	DeleteByGroup(ctx context.Context, g group.ID) error
}
