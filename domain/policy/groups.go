package policy

import (
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// Joining is the decision to give a person a role in a group that the person does not have yet, so
// that the group grows. Without effect the person does not join, and is enrolled in no course of
// the group.
type Joining struct {
	Request
	Person  person.State
	Group   group.State
	Role    membership.Role
	Members int64 // existing memberships as member; exact if a rule needs Count, otherwise 0
}

// Leaving is the decision to remove a person's role in a group. Deleting the person or the group is
// not one.
type Leaving struct {
	Request
	Person  person.State
	Group   group.State
	Role    membership.Role
	Members int64 // memberships as member, this one included; as in Joining
}
