package policy

import (
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// Joining is the decision to give a person a new role in a group, which adds a membership. If a
// rule returns NoEffect, the membership and the enrollments in the group's courses are not saved.
type Joining struct {
	Request
	Person  person.State
	Group   group.State
	Role    membership.Role
	Members int64 // existing memberships as member; exact if a rule needs Count, otherwise 0
}

// Leaving is the decision to remove a person's role in a group. Deleting the person or the group is
// not such a decision.
type Leaving struct {
	Request
	Person  person.State
	Group   group.State
	Role    membership.Role
	Members int64 // memberships as member, including this one; exact if a rule needs Count, otherwise 0
}
