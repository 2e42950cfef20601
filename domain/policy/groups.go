package policy

import (
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
)

// Joining is the decision to give a person a role in a group that they do not have
// yet.
type Joining struct {
	Person  person.State
	Group   group.State
	Role    membership.Role
	Members int64 // that the group has already, managers not counted
}

// joining is the rules on who joins a group.
var joining = Rules[Joining]{}

// Leaving is the decision to take from a person a role that they have in a group. The
// deletion of the person or of the group is no such decision.
type Leaving struct {
	Person person.State
	Group  group.State
	Role   membership.Role
}

// leaving is the rules on who leaves a group.
var leaving = Rules[Leaving]{}
