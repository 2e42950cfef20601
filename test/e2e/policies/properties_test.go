package policies_test

import (
	"slices"
	"testing"

	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/test/kit/stores"
)

// TestRulesGetProperties checks that, for each row of a bulk request, the rules receive the
// properties that the row sets and the API key of the request, and that a refused row sets no
// property.
func TestRulesGetProperties(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		var asked []policy.Actor
		sales := func(by policy.Actor, p person.State) error {
			asked = append(asked, by)
			if p.Properties.Text("department") != "Sales" {
				return fault.Invalidf("", "is for sales")
			}
			return nil
		}
		w := newWorld(t, on, 1, policy.Set{
			CreatePerson: policy.Rules[policy.CreatingPerson]{{Check: func(c policy.CreatingPerson) error { return sales(c.By, c.Person) }}},
			Join:         policy.Rules[policy.Joining]{{Check: func(j policy.Joining) error { return sales(j.By, j.Person) }}},
			Enroll:       policy.Rules[policy.Enrolling]{{Check: func(e policy.Enrolling) error { return sales(e.By, e.Person) }}},
		})
		w.define(w.apps[0], "department")
		row := func(i, n int, group, department string) bulk.Row {
			return bulk.People.NewRow(i, email(n), []bulk.Target{{Field: "groups", Name: group}},
				map[string]property.Raw{"department": property.RawText(department)}, nil)
		}
		rows := []bulk.Row{
			row(0, 0, "Figures", "Support"), // rejected, sets nothing
			row(1, 0, "Figures", "Sales"),
			row(2, 0, "New", "Support"), // rejected, sets nothing
			row(3, 1, "New", "Support"), // rejected, creates nothing
			row(4, 1, "New", "Sales"),
		}
		job, err := w.apps[0].Bulk.Accept(t.Context(), w.actor, bulk.People, rows)
		must(t, err)
		_, err = w.apps[1].Bulk.ApplyNext(t.Context())
		must(t, err)
		job, err = w.apps[0].Bulk.Get(t.Context(), w.actor, job.ID)
		must(t, err)
		var failed []int
		for _, e := range job.Errors {
			failed = append(failed, e.Row)
		}
		if !slices.Equal(slices.Compact(failed), []int{0, 2, 3}) {
			t.Errorf("failed rows: %+v", job.Errors)
		}
		if w.count("Figures") != 1 || w.count("New") != 1 {
			t.Errorf("members: %d, %d", w.count("Figures"), w.count("New"))
		}
		all, err := w.apps[0].People.List(t.Context(), w.actor, query.Query{Page: query.AllRows()})
		must(t, err)
		for _, p := range all.Items {
			if p.Properties.Text("department") != "Sales" {
				t.Errorf("%s: %s", p.Email, p.Properties.JSON())
			}
		}
		for _, by := range asked {
			if by.Key != w.actor.Key() || by.Key == (policy.Actor{}).Key || by.Scope.IsZero() {
				t.Errorf("a rule was asked on behalf of %+v", by)
			}
		}
		if len(asked) == 0 {
			t.Error("no rule was asked")
		}
	})
}

// TestDefinitionsHoldOnAllInstances checks that, when one instance has created, changed or deleted
// a definition, the next request to the other instance uses the new state.
func TestDefinitionsHoldOnAllInstances(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, 1, policy.Set{})
		set := func(department string) error {
			_, err := w.apps[1].People.Update(t.Context(), w.actor, w.people[0], person.Changes{Properties: property.Changes{
				Sent: map[string]property.Raw{"department": property.RawText(department)},
			}})
			return err
		}
		refused := func(err error, want string) {
			t.Helper()
			if all := fault.All(err); len(all) != 1 || all[0].Field != "properties.department" || all[0].Detail != want {
				t.Errorf("got %v, want %q", err, want)
			}
		}
		refused(set("Sales"), "unknown property")
		d := w.define(w.apps[0], "department")
		must(t, set("Sales"))
		more := []string{"Sales", "Support", "Finance"}
		refused(set("Finance"), "must be one of: Sales, Support")
		_, err := w.apps[0].Properties.Update(t.Context(), w.actor, d, property.DefinitionChanges{Options: &more})
		must(t, err)
		must(t, set("Finance"))
		defined, err := w.apps[1].Properties.Defined(t.Context(), w.actor, property.People)
		must(t, err)
		if len(defined) != 1 {
			t.Errorf("defined: %+v", defined)
		}
		_, err = w.apps[0].Properties.DeleteAll(t.Context(), w.actor, d)
		must(t, err)
		refused(set("Sales"), "unknown property")
		p, err := w.apps[1].People.Get(t.Context(), w.actor, w.people[0])
		must(t, err)
		if !p.Properties.IsEmpty() || len(p.Defined) != 0 {
			t.Errorf("after the deletion: %s, %v", p.Properties.JSON(), p.Defined)
		}
	})
}

// define defines a property of people that has the values Sales and Support.
func (w *world) define(a *app.App, name string) property.ID {
	w.t.Helper()
	d, err := a.Properties.Create(w.t.Context(), w.actor, property.Params{
		Resource: property.People, Name: name, Kind: property.OneOf, Options: []string{"Sales", "Support"}, Filterable: true,
	})
	must(w.t, err)
	return d.ID
}
