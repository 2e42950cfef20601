package policy

import (
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

// CreatingPerson is the decision to add a person to a school.
type CreatingPerson struct {
	Request
	Person person.State
	People int64 // existing people of the school; exact if a rule needs Count, otherwise 0
}

// MaxPeople returns the rule that a school has at most n people.
func MaxPeople(n int64) Rule[CreatingPerson] {
	return Rule[CreatingPerson]{Needs: Count, Check: func(c CreatingPerson) error {
		if c.People >= n {
			return fault.Invalidf("", "cannot be created: the school has reached its maximum of %d people", n)
		}
		return nil
	}}
}

// ChangingPerson is the decision to change the attributes or properties of a person, including the
// names that are sent when an invitation is accepted. If a rule returns NoEffect, the change is not
// saved. Activation, roles and partnerships are not such a change.
type ChangingPerson struct {
	Request
	Before, After person.State
}

// Inviting is the decision to send a person an invitation, for the first time or again. If a rule
// returns NoEffect, the person is created but not invited.
type Inviting struct {
	Request
	Person person.State
}

// Accepting is the decision to accept an invitation, which activates the person.
type Accepting struct {
	Request
	Before, After person.State
}

// DeletingPerson is the decision to delete a person together with all records that belong to the
// person. It also decides whether responses show the person as deletable.
type DeletingPerson struct {
	Request
	Person person.Summary // its counts are exact
}

// deletingPerson contains the standard rules on deleting a person.
var deletingPerson = Rules[DeletingPerson]{{Check: func(d DeletingPerson) error { return person.CheckDeletion(d.Person) }}}
