package policies_test

import (
	"fmt"
	"testing"

	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/test/kit"
)

// changed is the first name of a person, and the value of the property team, after a change.
const changed = "Changed"

// withTeam defines the property team of people.
func withTeam(w *world) {
	w.t.Helper()
	_, err := w.apps[0].Properties.Create(w.t.Context(), w.actor, property.Params{Resource: property.People, Name: "team", Kind: property.Text})
	must(w.t, err)
}

var changingPeople = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{ChangePerson: policy.Rules[policy.ChangingPerson]{{Check: func(c policy.ChangingPerson) error {
			if c.Before != c.After && c.Before.ID == c.After.ID && isRejected(number(c.Before.Email)) {
				return verdict
			}
			return nil
		}}}}
	},
	taken: func(w *world) int {
		n := 0
		for _, p := range w.everyone() {
			if p.FirstName == changed || p.Properties.Text("team") == changed {
				n++
			}
		}
		return n
	},
	ways: []way{
		{
			name: "a person is changed", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				name := changed
				_, err := a.People.Update(w.t.Context(), w.actor, w.people[numbers[0]], person.Changes{FirstName: &name})
				return err
			},
		},
		{
			name: "people in bulk", each: true, fault: "row %d: id: " + detail, before: withTeam,
			take: func(w *world, a *app.App, numbers ...int) error {
				rows := make([]bulk.Row, len(numbers))
				for i, n := range numbers {
					rows[i] = bulk.People.NewRow(i, email(n), nil, map[string]property.Raw{"team": property.RawText(changed)}, nil)
				}
				return w.bulkRows(a, bulk.People, rows)
			},
		},
		{
			name: "people as CSV", fault: "line %d: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				text := "email,first_name\n"
				for _, n := range numbers {
					text += email(n) + "," + changed + "\n"
				}
				_, err := a.Transfers.ImportPeople(w.t.Context(), w.actor, kit.Reading(text), false)
				return err
			},
		},
		{
			name: "lines", fault: "line %d: person: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return fmt.Sprintf(`{"kind": "person", "email": %q, "first_name": %q}`, email(i), changed)
				})
			},
		},
		{
			name: "names of an acceptance", single: true, fault: "invalid: id: " + detail, before: invited,
			take: func(w *world, a *app.App, numbers ...int) error {
				name := changed
				_, _, err := a.Invitations.Accept(w.t.Context(), w.actor, w.tokens[numbers[0]], person.Changes{FirstName: &name})
				return err
			},
		},
	},
}

func TestChangingPeople(t *testing.T) { changingPeople.tryAll(t) }
