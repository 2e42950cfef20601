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
	People int64 // existing people of the school
}

var creating = Rules[Creating]{}

// MaxPeople returns the rule that a school has at most n people.
func MaxPeople(n int64) Rule[Creating] {
	return Rule[Creating]{Needs: Count, Check: func(c Creating) error {
		if c.People >= n {
			return fault.Invalidf("", "cannot be created: the school has reached its maximum of %d people", n)
		}
		return nil
	}}
}

// Inviting is the decision to send a person an invitation, for the first time or again.
type Inviting struct {
	School school.State
	Person person.State
}

var inviting = Rules[Inviting]{}
