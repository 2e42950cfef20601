package policy

import (
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// Joining is the decision to give a person a role in a group that the person does not have yet.
type Joining struct {
	Person  person.State
	Group   group.State
	Role    membership.Role
	Members int64 // existing memberships as member
}

// joining is the rules on joining a group.
var joining = Rules[Joining]{}

// Leaving is the decision to remove a person's role in a group. Deleting the person or the group is
// not one.
type Leaving struct {
	Person person.State
	Group  group.State
	Role   membership.Role
}

// leaving is the rules on leaving a group.
var leaving = Rules[Leaving]{}
