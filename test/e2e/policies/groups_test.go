package policies_test

import (
	"fmt"
	"testing"

	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/bulk"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
)

var joining = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Join: everyThird(verdict, func(j policy.Joining) int { return number(j.Person.Email) })}
	},
	taken: func(w *world) int { return w.count("New") },
	ways: []way{
		{
			name: "a person joins a group", single: true, fault: "invalid: row 1: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.Join(w.t.Context(), w.actor, w.people[numbers[0]], rolesIn(w, "New", membership.Member))
			},
		},
		{
			name: "people are added to a group", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.AddPeople(w.t.Context(), w.actor, w.group["New"], w.those(numbers))
			},
		},
		{
			name: "managers are added to a group", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.AddManagers(w.t.Context(), w.actor, w.group["New"], w.those(numbers))
			},
		},
		{
			name: "people in bulk", each: true, fault: "row %d: groups/0: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.bulkPeople(a, "New", numbers) },
		},
		{
			name: "people as CSV", fault: "line %d: groups: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error { return w.csv(a, false, "New", numbers) },
		},
		{
			name: "lines", fault: "line %d: membership: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return fmt.Sprintf(`{"kind": "membership", "group": "New", "person": %q, "role": "member"}`, email(i))
				})
			},
		},
	},
}

func TestJoining(t *testing.T) { joining.tryAll(t) }

var leaving = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Leave: everyThird(verdict, func(l policy.Leaving) int { return number(l.Person.Email) })}
	},
	taken: func(w *world) int { return peopleCount - w.count("Old") },
	ways: []way{
		{
			name: "a person leaves a group", single: true, fault: "invalid: row 1: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.Leave(w.t.Context(), w.actor, w.people[numbers[0]], rolesIn(w, "Old", membership.Member))
			},
		},
		{
			name: "a membership is deleted", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				for _, m := range w.memberships("Old") {
					if m.Person == w.people[numbers[0]] {
						return a.Memberships.Delete(w.t.Context(), w.actor, m.ID)
					}
				}
				return fmt.Errorf("%d is not a member", numbers[0])
			},
		},
		{
			name: "people are removed from a group", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.RemovePeople(w.t.Context(), w.actor, w.group["Old"], w.those(numbers))
			},
		},
		{
			name: "managers are removed from a group", fault: "invalid: row %d: id: " + detail,
			before: func(w *world) {
				ctx := w.t.Context()
				must(w.t, w.apps[0].Memberships.AddManagers(ctx, w.actor, w.group["Old"], w.people))
			},
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.RemoveManagers(w.t.Context(), w.actor, w.group["Old"], w.those(numbers))
			},
		},
	},
}

func TestLeaving(t *testing.T) { leaving.tryAll(t) }

func rolesIn(w *world, name string, role membership.Role) []app.GroupRole {
	return []app.GroupRole{{Group: w.group[name], Role: role}}
}

func (w *world) those(numbers []int) []person.ID {
	ids := make([]person.ID, len(numbers))
	for i, n := range numbers {
		ids[i] = w.people[n]
	}
	return ids
}

// memberships returns the memberships of a group, of both roles.
func (w *world) memberships(name string) []membership.Membership {
	w.t.Helper()
	all, err := w.apps[1].Memberships.ListOf(w.t.Context(), w.actor, w.group[name], query.Query{Page: query.AllRows()})
	must(w.t, err)
	return all.Items
}

func (w *world) count(name string) int { return len(w.memberships(name)) }

// bulkPeople adds people to a group with a bulk request, which creates the missing people. If name
// is blank, there is no group.
func (w *world) bulkPeople(a *app.App, name string, numbers []int) error {
	rows := make([]bulk.Row, len(numbers))
	for i, n := range numbers {
		var targets []bulk.Target
		if name != "" {
			targets = []bulk.Target{{Field: "groups/0", Name: name}}
		}
		rows[i] = bulk.People.NewRow(i, email(n), targets, nil, nil)
	}
	return w.bulkRows(a, bulk.People, rows)
}

// csv imports people as CSV and adds them to a group.
func (w *world) csv(a *app.App, invite bool, name string, numbers []int) error {
	rows := make([]string, len(numbers))
	for i, n := range numbers {
		rows[i] = email(n) + "," + name
	}
	_, err := a.Transfers.ImportPeople(w.t.Context(), w.actor, csvImport(rows...), invite)
	return err
}

// importLines imports a line for each number.
func (w *world) importLines(a *app.App, numbers []int, line func(int) string) error {
	all := make([]string, len(numbers))
	for i, n := range numbers {
		all[i] = line(n)
	}
	_, err := a.Transfers.Import(w.t.Context(), w.actor, linesImport(all...))
	return err
}

// importedUnasked imports lines without applying rules.
func (w *world) importedUnasked(all ...string) {
	w.t.Helper()
	im := linesImport(all...)
	im.Policies = transfer.SkipPolicies
	_, err := w.apps[0].Transfers.Import(w.t.Context(), w.actor, im)
	must(w.t, err)
}

// bulkRow is a row about a person who joins groups.
type bulkRow struct {
	number int
	groups []string
}

// bulkNamed is like bulkPeople, but each row has its own groups.
func (w *world) bulkNamed(a *app.App, people ...bulkRow) error {
	rows := make([]bulk.Row, len(people))
	for i, p := range people {
		var targets []bulk.Target
		for k, name := range p.groups {
			targets = append(targets, bulk.Target{Field: fmt.Sprintf("groups/%d", k), Name: name})
		}
		rows[i] = bulk.People.NewRow(i, email(p.number), targets, nil, nil)
	}
	return w.bulkRows(a, bulk.People, rows)
}
