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

	// Get returns the membership with the given id, or NotFound if there is none.
	Get(ctx context.Context, id membership.ID) (membership.Membership, error)

	// MemberIDs returns the ids of the members (not of the managers) of the group, in ascending
	// order. The result is empty if the group does not exist.
	MemberIDs(ctx context.Context, id group.ID) ([]person.ID, error)
}

// MembershipRepo reads and writes memberships. The counts in lists (group.Summary's
// MembershipCount, person.Summary's GroupCount) are derived from the memberships as member. They
// are exact at the end of every transaction, under any concurrency; transactions that add people to
// the same group do not wait for each other.
type MembershipRepo interface {
	MembershipReader

	// AddIfAbsent inserts each of the memberships unless the person already has that role in that
	// group. Of several equal memberships it inserts one. It returns how many it inserted. It
	// returns an error if a person or a group does not exist, or if another membership has the same
	// id.
	AddIfAbsent(ctx context.Context, ms []membership.Membership) (int, error)

	// RemovePeople deletes the memberships of the given people in the group with the given role and
	// returns how many it deleted. It ignores memberships that do not exist.
	RemovePeople(ctx context.Context, g group.ID, role membership.Role, people []person.ID) (int, error)

	// RemoveFromGroups deletes the memberships of the person in the given groups with the given
	// role and returns how many it deleted. It ignores memberships that do not exist.
	RemoveFromGroups(ctx context.Context, p person.ID, role membership.Role, groups []group.ID) (int, error)

	// Delete deletes the membership with the given id, or returns NotFound if there is none.
	Delete(ctx context.Context, id membership.ID) error

	// DeleteByPerson deletes all memberships of a person.
	DeleteByPerson(ctx context.Context, p person.ID) error

	// DeleteByGroup deletes at most limit memberships of a group, and returns how many it deleted.
	DeleteByGroup(ctx context.Context, g group.ID, limit int) (int, error)
}
