package policies_test

import (
	"testing"

	"lyceum/app"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
)

// newPersonOffset is added to the number of an existing person to get the number of a new one.
const newPersonOffset = 30

func newcomers(numbers []int) []int {
	all := make([]int, len(numbers))
	for i, n := range numbers {
		all[i] = n + newPersonOffset
	}
	return all
}

var creating = decision{
	rules: policy.Set{Create: rejectEveryThird(func(c policy.Creating) int { return number(c.Person.Email) })},
	taken: func(w *world) int { return w.countPeople() },
	ways: []way{
		{
			name: "a person is created", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.People.Create(w.t.Context(), w.actor, person.Profile{Email: email(numbers[0] + newPersonOffset)})
				return err
			},
		},
		{
			name: "a learner is created", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.Learners.Create(w.t.Context(), w.actor, person.Profile{Email: email(numbers[0] + newPersonOffset)})
				return err
			},
		},
		{
			name: "people in bulk", each: true, fault: "row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.bulkPeople(a, "", newcomers(numbers)) },
		},
		{
			name: "people as CSV", fault: "line %d: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error { return w.csv(a, false, "", newcomers(numbers)) },
		},
		{
			name: "lines", fault: "line %d: person: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, newcomers(numbers), personLine)
			},
		},
	},
}

func TestCreating(t *testing.T) { creating.tryAll(t) }

var inviting = decision{
	rules: policy.Set{Invite: rejectEveryThird(func(i policy.Inviting) int { return number(i.Person.Email) })},
	taken: func(w *world) int { return w.invitations() },
	ways: []way{
		{
			name: "a person is created", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.People.Create(w.t.Context(), w.actor, person.Profile{Email: email(numbers[0] + newPersonOffset)})
				return err
			},
		},
		{
			name: "an invitation is sent again", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.Invitations.Resend(w.t.Context(), w.actor, w.people[numbers[0]])
				return err
			},
		},
		{
			name: "people in bulk", each: true, fault: "row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.bulkPeople(a, "", newcomers(numbers)) },
		},
		{
			name: "people as CSV", fault: "line %d: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error { return w.csv(a, true, "", newcomers(numbers)) },
		},
	},
}

func TestInviting(t *testing.T) { inviting.tryAll(t) }

func (w *world) everyone() []person.Summary {
	w.t.Helper()
	all, err := w.apps[1].People.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	must(w.t, err)
	return all.Items
}

func (w *world) countPeople() int { return len(w.everyone()) }

// invitations returns the number of invitations.
func (w *world) invitations() int {
	w.t.Helper()
	n := 0
	for _, p := range w.everyone() {
		if i, err := w.apps[1].Invitations.Get(w.t.Context(), w.actor, p.ID); err == nil && i != (invitation.Invitation{}) {
			n++
		}
	}
	return n
}
