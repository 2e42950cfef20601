package policy

import (
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// Joining is the decision to give a person a new role in a group.
type Joining struct {
	Person  person.State
	Group   group.State
	Role    membership.Role
	Members int64 // existing memberships as member
}

var joining = Rules[Joining]{}

// Leaving is the decision to remove a person's role in a group. It is not asked when the person or
// the group is deleted.
type Leaving struct {
	Person person.State
	Group  group.State
	Role   membership.Role
}

var leaving = Rules[Leaving]{}
