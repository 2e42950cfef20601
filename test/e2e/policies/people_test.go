package policies_test

import (
	"strings"
	"testing"

	"lyceum/app"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/test/kit/stores"
)

// newPersonOffset plus the number of an existing person is the number of a new person.
const newPersonOffset = 30

func newcomers(numbers []int) []int {
	all := make([]int, len(numbers))
	for i, n := range numbers {
		all[i] = n + newPersonOffset
	}
	return all
}

var creating = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{CreatePerson: everyThird(verdict, func(c policy.CreatingPerson) int { return number(c.Person.Email) })}
	},
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
	rules: func(verdict error) policy.Set {
		return policy.Set{Invite: everyThird(verdict, func(i policy.Inviting) int { return number(i.Person.Email) })}
	},
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

// invited sends invitation emails to all people and records the tokens of their links by the
// people's numbers.
func invited(w *world) {
	w.t.Helper()
	ctx := w.t.Context()
	for _, id := range w.people {
		_, err := w.apps[0].Invitations.Resend(ctx, w.actor, id)
		must(w.t, err)
	}
	for {
		found, err := w.apps[0].InvitationDelivery.DeliverNext(ctx)
		must(w.t, err)
		if !found {
			break
		}
	}
	w.tokens = make([]string, len(w.people))
	for _, m := range w.mail.Messages() {
		if n := number(m.To); n >= 0 && n < len(w.tokens) {
			w.tokens[n] = m.Token
		}
	}
}

var accepting = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Accept: everyThird(verdict, func(a policy.Accepting) int { return number(a.After.Email) })}
	},
	taken: func(w *world) int {
		n := 0
		for _, p := range w.everyone() {
			if p.ActivatedAt != nil {
				n++
			}
		}
		return n
	},
	ways: []way{{
		name: "an invitation is accepted", single: true, fault: "invalid: id: " + detail, before: invited,
		take: func(w *world, a *app.App, numbers ...int) error {
			_, _, err := a.Invitations.Accept(w.t.Context(), w.actor, w.tokens[numbers[0]], person.Changes{})
			return err
		},
	}},
}

func TestAccepting(t *testing.T) { accepting.tryAll(t) }

var deletingPeople = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{DeletePerson: everyThird(verdict, func(d policy.DeletingPerson) int { return number(d.Person.Email) })}
	},
	taken: func(w *world) int { return -w.countPeople() },
	ways: []way{
		{
			name: "a person is deleted", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.People.Delete(w.t.Context(), w.actor, w.people[numbers[0]])
			},
		},
		{
			name: "a learner is deleted", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Learners.Delete(w.t.Context(), w.actor, w.people[numbers[0]])
			},
		},
	},
}

func TestDeletingPeople(t *testing.T) { deletingPeople.tryAll(t) }

// TestDeletable checks that Deletable reports whether the rules allow the deletion of a person, in
// lists and for a single person.
func TestDeletable(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, peopleCount, policy.Set{DeletePerson: policy.Rules[policy.DeletingPerson]{{
			Needs: policy.School, Check: func(d policy.DeletingPerson) error {
				if strings.HasPrefix(d.School.Name, t.Name()+" ") && isRejected(number(d.Person.Email)) {
					return refusal
				}
				return nil
			},
		}}})
		for _, p := range w.everyone() {
			alone, err := w.apps[0].People.Get(t.Context(), w.actor, p.ID)
			must(t, err)
			if allowed := !isRejected(number(p.Email)); p.Deletable != allowed || alone.Deletable != allowed {
				t.Errorf("%s: deletable is %t in the list and %t alone", p.Email, p.Deletable, alone.Deletable)
			}
		}
	})
}

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
