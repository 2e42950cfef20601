package people

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// PropertyValues tests that records store the values of properties, and the methods that count and
// remove values.
func PropertyValues(t *testing.T, b fixture.Backend) {
	t.Run("A record shows its values and the names that are defined", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.NewPerson("ada@example.test")
		ada.Properties = fixture.EveryKind
		w.Save(ada)
		is.Equal(fixture.Diff(w.PersonSummary(ada.ID), person.Summary{State: ada}), "")
		w.AddProperty(property.People, "zone", property.Text)
		w.AddProperty(property.People, "area", property.Text)
		w.AddProperty(property.Groups, "size", property.Number)
		want := person.Summary{State: ada, Defined: []string{"area", "zone"}}
		is.Equal(fixture.Diff(w.PersonSummary(ada.ID), want), "")
		is.Equal(fixture.Diff(w.All().People, []person.Summary{want}), "")
	})

	t.Run("Save replaces and removes values", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.NewPerson("ada@example.test")
		ada.Properties = fixture.EveryKind
		w.Save(ada)
		for _, v := range []property.Values{fixture.Texts("zone", "EU"), {}, fixture.EveryKind} {
			ada.Properties = v
			is.NoErr(w.TrySavePerson(ada))
			is.Equal(fixture.Diff(w.PersonSummary(ada.ID).State, ada), "")
		}
	})

	t.Run("CountValues returns the number of records with a value, or with one of options", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		zone := w.AddProperty(property.People, "zone", property.Text)
		withProperties(w.Tenant, fixture.Texts("zone", "EU"), fixture.Texts("zone", "US"), fixture.Texts("zone", "EU"), fixture.Texts("area", "EU"), property.Values{})
		for _, tt := range []struct {
			options []string
			want    int64
		}{
			{nil, 3}, {[]string{"EU"}, 2}, {[]string{"US", "EU"}, 3}, {[]string{"eu", "E"}, 0}, {[]string{}, 0},
		} {
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				n, err := tx.Properties.CountValues(ctx, zone, tt.options)
				is.Equal(n, tt.want)
				return err
			})
		}
	})

	t.Run("Courses, groups and the school have values too", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, g, own := w.NewCourse("Drawing"), w.NewGroup("Painters"), w.All().School
		c.Properties, g.Properties, own.Properties = fixture.EveryKind, fixture.EveryKind, fixture.EveryKind
		w.Save(c, g)
		is.NoErr(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.School.Save(ctx, school.Restore(own)) }))
		for _, r := range property.Resources() {
			d := w.AddProperty(r, "text", property.Text)
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				want := int64(1)
				if r == property.People {
					want = 0
				}
				n, err := tx.Properties.CountValues(ctx, d, nil)
				is.Equal(n, want)
				return err
			})
		}
		names := []string{"text"}
		is.Equal(fixture.Diff(w.CourseSummary(c.ID), course.Summary{State: c, Defined: names}), "")
		is.Equal(fixture.Diff(w.Group(g.ID), group.Summary{State: g, Defined: names}), "")
		shown, err := w.Read().School.Summary(w.Context())
		is.NoErr(err)
		is.Equal(fixture.Diff(shown, school.Summary{State: own, Defined: names}), "")
		for _, r := range property.Resources() {
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Properties.RemoveValues(ctx, property.State{Resource: r, Name: "text"}))
			})
		}
		rest := fixture.EveryKind.Without("text")
		is.Equal(fixture.Diff(w.CourseSummary(c.ID).Properties, rest), "")
		is.Equal(fixture.Diff(w.Group(g.ID).Properties, rest), "")
		is.Equal(fixture.Diff(w.All().School.Properties, rest), "")
	})

	t.Run("If q.WithoutProperties is set, the returned people, courses and groups have no properties, and Defined is nil", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for _, of := range []property.Resource{property.People, property.Courses, property.Groups} {
			w.AddProperty(of, "zone", property.Text)
		}
		ada, c, g := w.NewPerson("ada@example.test"), w.NewCourse("Drawing"), w.NewGroup("Painters")
		ada.Properties, c.Properties, g.Properties = fixture.EveryKind, fixture.EveryKind, fixture.EveryKind
		w.Save(ada, c, g)
		ada.Properties, c.Properties, g.Properties = property.Values{}, property.Values{}, property.Values{}
		check := func(r ports.Reader) {
			for _, q := range []query.Query{{}, {Page: query.NewPage(1, 1), Count: true}} {
				q.WithoutProperties = true
				people, err := r.People.List(w.Context(), q)
				is.NoErr(err)
				is.Equal(fixture.Diff(people.Items, []person.Summary{{State: ada}}), "")
				courses, err := r.Courses.List(w.Context(), q)
				is.NoErr(err)
				is.Equal(fixture.Diff(courses.Items, []course.Summary{{State: c}}), "")
				groups, err := r.Groups.List(w.Context(), q)
				is.NoErr(err)
				is.Equal(fixture.Diff(groups.Items, []group.Summary{{State: g}}), "")
			}
		}
		check(w.Read())
		w.Do(func(_ context.Context, tx ports.Tx) error {
			check(fixture.ReaderOf(tx))
			return nil
		})
	})

	t.Run("RemoveValues removes the values of a property from all records, and returns from how many", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		zone := w.AddProperty(property.People, "zone", property.Text)
		both := property.NewValues(append(fixture.Texts("zone", "EU").All(), fixture.Texts("area", "x").All()...)...)
		people := withProperties(w.Tenant, fixture.Texts("zone", "EU"), both, fixture.Texts("area", "x"), property.Values{})
		before := w.OtherTenant.All()
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			n, err := tx.Properties.RemoveValues(ctx, zone)
			is.Equal(n, int64(2))
			return err
		})
		for i, want := range []property.Values{{}, fixture.Texts("area", "x"), fixture.Texts("area", "x"), {}} {
			people[i].Properties = want
			is.Equal(fixture.Diff(w.PersonSummary(people[i].ID).State, people[i]), "") // UpdatedAt has not changed
		}
		is.Equal(fixture.Diff(w.OtherTenant.All(), before), "")
	})
}

// withProperties adds one person for each element of values and returns the people.
func withProperties(s fixture.Tenant, values ...property.Values) []person.State {
	s.T.Helper()
	people := make([]person.State, len(values))
	for i, v := range values {
		people[i] = s.NewPerson(string(rune('a'+i)) + "@example.test")
		people[i].Properties = v
		s.Save(people[i])
	}
	return people
}
