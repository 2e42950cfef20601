package policies_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	schooldomain "lyceum/domain/school"
	"lyceum/test/kit"
	"lyceum/test/kit/stores"
)

// TestDefinitionDeletedWhileValuesAreWritten writes two properties of several records on two
// connections, until the definitions of one of the properties are deleted together with their
// values. Each request must set both values or be refused, and no value of a deleted definition may
// remain.
func TestDefinitionDeletedWhileValuesAreWritten(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		w := newWorld(t, on, 8, policy.Set{})
		var deleted []property.ID
		for _, r := range property.Resources() {
			deleted = append(deleted, w.defineText(r, "deleted"))
			w.defineText(r, "kept")
		}
		writers := w.writers(ctx)
		last := make([]string, len(writers)) // values of the last successful request of each writer
		started := make(chan struct{}, len(writers))
		var all sync.WaitGroup
		for i, one := range writers {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					value := fmt.Sprintf("%s %d", one.name, n)
					err := one.set(w.apps[(i+n)%2], value)
					if n == 0 {
						started <- struct{}{}
					}
					if fault.Is(err, fault.Unavailable) {
						continue
					}
					if err != nil {
						if got := strings.Join(faultsOf(t, err), "; "); !strings.Contains(got, "deleted") {
							t.Errorf("%s: refused with %q", one.name, got)
						}
						return
					}
					last[i] = value
				}
			})
		}
		for range writers {
			<-started
		}
		for i, id := range deleted {
			all.Go(func() {
				removed, err := w.apps[i%2].Properties.DeleteAll(ctx, w.actor, id)
				if err != nil || len(removed) != 1 {
					t.Errorf("the deletion removes %v: %v", removed, err)
				}
			})
		}
		all.Wait()
		for _, r := range property.Resources() { // a new definition would show a value that remains
			w.defineText(r, "deleted")
		}
		for i, one := range writers {
			values, err := one.get(w.apps[0])
			must(t, err)
			if last[i] == "" || values.Text("kept") != last[i] || !values.Get("deleted").IsNull() {
				t.Errorf("%s: has %s, the last request was %q", one.name, values.JSON(), last[i])
			}
		}
	})
}

// defineText defines a property with texts.
func (w *world) defineText(r property.Resource, name string) property.ID {
	w.t.Helper()
	d, err := w.apps[0].Properties.Create(w.t.Context(), w.actor, property.Params{Resource: r, Name: name, Kind: property.Text})
	must(w.t, err)
	return d.ID
}

// writer writes the properties of a record. No other writer writes to this record.
type writer struct {
	name string
	set  func(a *app.App, value string) error
	get  func(a *app.App) (property.Values, error)
}

// writers returns a writer for each way to set properties.
func (w *world) writers(ctx context.Context) []writer {
	changes := func(value string) property.Changes {
		return property.Changes{Sent: map[string]property.Raw{"deleted": property.RawText(value), "kept": property.RawText(value)}}
	}
	ofPerson := func(i int, name string, set func(a *app.App, value string) error) writer {
		return writer{name, set, func(a *app.App) (property.Values, error) {
			p, err := a.People.Get(ctx, w.actor, w.people[i])
			return p.Properties, err
		}}
	}
	all := []writer{
		ofPerson(0, "CSV", func(a *app.App, value string) error {
			text := fmt.Sprintf("email,properties.deleted,properties.kept\n%s,%s,%s\n", email(0), value, value)
			_, err := a.Transfers.ImportPeople(ctx, w.actor, kit.Reading(text), false)
			return err
		}),
		ofPerson(1, "lines", func(a *app.App, value string) error {
			_, err := a.Transfers.Import(ctx, w.actor, linesImport(
				fmt.Sprintf(`{"kind": "person", "email": %q, "properties": {"deleted": %q, "kept": %q}}`, email(1), value, value)))
			return err
		}),
		ofPerson(2, "bulk", func(a *app.App, value string) error {
			job, err := a.Bulk.Accept(ctx, w.actor, bulk.People, []bulk.Row{bulk.People.NewRow(0, email(2), nil, changes(value).Sent, nil)})
			for err == nil && job.Status() != bulk.Completed {
				if _, err = a.Bulk.ApplyNext(ctx); err == nil {
					job, err = a.Bulk.Get(ctx, w.actor, job.ID)
				}
			}
			if err == nil && len(job.Errors) > 0 {
				return rowErrors(job.Errors)
			}
			return err
		}),
		{"course", func(a *app.App, value string) error {
			_, err := a.Courses.Update(ctx, w.actor, w.course["algebra"], app.CourseChanges{Changes: course.Changes{Properties: changes(value)}})
			return err
		}, func(a *app.App) (property.Values, error) {
			c, err := a.Courses.Get(ctx, w.actor, "algebra")
			return c.Properties, err
		}},
		{"group", func(a *app.App, value string) error {
			_, err := a.Groups.Update(ctx, w.actor, w.group["Old"], group.Changes{Properties: changes(value)})
			return err
		}, func(a *app.App) (property.Values, error) {
			g, err := a.Groups.Get(ctx, w.actor, w.group["Old"])
			return g.Properties, err
		}},
		{"school", func(a *app.App, value string) error {
			_, err := a.School.Update(ctx, w.actor, schooldomain.Changes{Properties: changes(value)})
			return err
		}, func(a *app.App) (property.Values, error) {
			s, err := a.School.Get(ctx, w.actor)
			return s.Properties, err
		}},
	}
	for i := 3; i < len(w.people); i++ {
		all = append(all, ofPerson(i, email(i), func(a *app.App, value string) error {
			_, err := a.People.Update(ctx, w.actor, w.people[i], person.Changes{Properties: changes(value)})
			return err
		}))
	}
	return all
}
