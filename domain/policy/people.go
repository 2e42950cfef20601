package policy

import (
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Creating is the decision to add a person to a school.
type Creating struct {
	School school.State
	Person person.State
	People int64 // that the school has already
}

// creating is the rules on who is added to a school.
var creating = Rules[Creating]{}

// MaxPeople returns the rule that a school has at most so many people.
func MaxPeople(n int64) Rule[Creating] {
	return Rule[Creating]{Needs: Count, Check: func(c Creating) error {
		if c.People >= n {
			return fault.Invalidf("", "cannot be added: the school may have %d people at most", n)
		}
		return nil
	}}
}

// Inviting is the decision to send a person an invitation, with their creation or
// again.
type Inviting struct {
	School school.State
	Person person.State
}

// inviting is the rules on who is invited.
var inviting = Rules[Inviting]{}
