package storetest

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

// propertyValues tests that records store the values of properties, and the methods that count and
// remove values.
func propertyValues(t *testing.T, b Backend) {
	t.Run("A record shows its values and the names that are defined", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.newPerson("ada@example.test")
		ada.Properties = everyKind
		w.save(ada)
		is.Equal(diff(w.personSummary(ada.ID), person.Summary{State: ada}), "")
		w.addProperty(property.People, "zone", property.Text)
		w.addProperty(property.People, "area", property.Text)
		w.addProperty(property.Groups, "size", property.Number)
		want := person.Summary{State: ada, Defined: []string{"area", "zone"}}
		is.Equal(diff(w.personSummary(ada.ID), want), "")
		is.Equal(diff(w.all().People, []person.Summary{want}), "")
	})

	t.Run("Save replaces and removes values", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.newPerson("ada@example.test")
		ada.Properties = everyKind
		w.save(ada)
		for _, v := range []property.Values{texts("zone", "EU"), {}, everyKind} {
			ada.Properties = v
			is.NoErr(w.trySavePerson(ada))
			is.Equal(diff(w.personSummary(ada.ID).State, ada), "")
		}
	})

	t.Run("CountValues returns the number of records with a value, or with one of options", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		zone := w.addProperty(property.People, "zone", property.Text)
		w.withProperties(texts("zone", "EU"), texts("zone", "US"), texts("zone", "EU"), texts("area", "EU"), property.Values{})
		for _, tt := range []struct {
			options []string
			want    int64
		}{
			{nil, 3}, {[]string{"EU"}, 2}, {[]string{"US", "EU"}, 3}, {[]string{"eu", "E"}, 0}, {[]string{}, 0},
		} {
			w.do(func(ctx context.Context, tx ports.Tx) error {
				n, err := tx.Properties.CountValues(ctx, zone, tt.options)
				is.Equal(n, tt.want)
				return err
			})
		}
	})

	t.Run("Courses, groups and the school have values too", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, g, own := w.newCourse("Drawing"), w.newGroup("Painters"), w.all().School
		c.Properties, g.Properties, own.Properties = everyKind, everyKind, everyKind
		w.save(c, g)
		is.NoErr(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.School.Save(ctx, school.Restore(own)) }))
		for _, r := range property.Resources() {
			d := w.addProperty(r, "text", property.Text)
			w.do(func(ctx context.Context, tx ports.Tx) error {
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
		is.Equal(diff(w.courseSummary(c.ID), course.Summary{State: c, Defined: names}), "")
		is.Equal(diff(w.group(g.ID), group.Summary{State: g, Defined: names}), "")
		shown, err := w.read().School.Summary(w.ctx())
		is.NoErr(err)
		is.Equal(diff(shown, school.Summary{State: own, Defined: names}), "")
		for _, r := range property.Resources() {
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Properties.RemoveValues(ctx, property.State{Resource: r, Name: "text"}))
			})
		}
		rest := everyKind.Without("text")
		is.Equal(diff(w.courseSummary(c.ID).Properties, rest), "")
		is.Equal(diff(w.group(g.ID).Properties, rest), "")
		is.Equal(diff(w.all().School.Properties, rest), "")
	})

	t.Run("If q.WithoutProperties is set, the returned people, courses and groups have no properties, and Defined is nil", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for _, of := range []property.Resource{property.People, property.Courses, property.Groups} {
			w.addProperty(of, "zone", property.Text)
		}
		ada, c, g := w.newPerson("ada@example.test"), w.newCourse("Drawing"), w.newGroup("Painters")
		ada.Properties, c.Properties, g.Properties = everyKind, everyKind, everyKind
		w.save(ada, c, g)
		ada.Properties, c.Properties, g.Properties = property.Values{}, property.Values{}, property.Values{}
		check := func(r ports.Reader) {
			for _, q := range []query.Query{{}, {Page: query.NewPage(1, 1), Count: true}} {
				q.WithoutProperties = true
				people, err := r.People.List(w.ctx(), q)
				is.NoErr(err)
				is.Equal(diff(people.Items, []person.Summary{{State: ada}}), "")
				courses, err := r.Courses.List(w.ctx(), q)
				is.NoErr(err)
				is.Equal(diff(courses.Items, []course.Summary{{State: c}}), "")
				groups, err := r.Groups.List(w.ctx(), q)
				is.NoErr(err)
				is.Equal(diff(groups.Items, []group.Summary{{State: g}}), "")
			}
		}
		check(w.read())
		w.do(func(_ context.Context, tx ports.Tx) error {
			check(readerOf(tx))
			return nil
		})
	})

	t.Run("RemoveValues removes the values of a property from all records, and returns from how many", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		zone := w.addProperty(property.People, "zone", property.Text)
		both := property.NewValues(append(texts("zone", "EU").All(), texts("area", "x").All()...)...)
		people := w.withProperties(texts("zone", "EU"), both, texts("area", "x"), property.Values{})
		before := w.otherTenant.all()
		w.do(func(ctx context.Context, tx ports.Tx) error {
			n, err := tx.Properties.RemoveValues(ctx, zone)
			is.Equal(n, int64(2))
			return err
		})
		for i, want := range []property.Values{{}, texts("area", "x"), texts("area", "x"), {}} {
			people[i].Properties = want
			is.Equal(diff(w.personSummary(people[i].ID).State, people[i]), "") // UpdatedAt has not changed
		}
		is.Equal(diff(w.otherTenant.all(), before), "")
	})
}

// everyKind contains a value of each kind of property.
var everyKind = property.NewValues(
	property.Property{Name: "text", Value: property.TextValue(`É "<&>\ß`)},
	property.Property{Name: "least", Value: property.NumberValue(-1e18)},
	property.Property{Name: "fraction", Value: property.NumberValue(1)},
	property.Property{Name: "zero", Value: property.NumberValue(0)},
	property.Property{Name: "yes", Value: property.BooleanValue(true)},
	property.Property{Name: "no", Value: property.BooleanValue(false)},
	property.Property{Name: "day", Value: property.TextValue("0001-01-01")},
)

// propertyAttrs contains the attributes by which lists are filtered and sorted by properties, one
// for each type of value.
var propertyAttrs = []query.Attr{
	query.PropertyAttr("city", query.Text), query.PropertyAttr("rating", query.Number),
	query.PropertyAttr("remote", query.Boolean), query.PropertyAttr("hired", query.Date),
}

// randomProperties returns values for some of propertyAttrs. The value of the text property is an
// element of all.
func randomProperties(rnd *rand.Rand, all []string) property.Values {
	rating, _ := property.ExactNumber(big.NewRat(rnd.Int64N(5)-2, 4))
	return property.NewValues(sample(rnd, []property.Property{
		{Name: "city", Value: property.TextValue(pick(rnd, all))},
		{Name: "rating", Value: rating},
		{Name: "remote", Value: property.BooleanValue(rnd.IntN(2) == 0)},
		{Name: "hired", Value: property.TextValue(pick(rnd, moments).Format(time.DateOnly))},
	})...)
}

// texts returns values that consist of one text property.
func texts(name, value string) property.Values {
	return property.NewValues(property.Property{Name: name, Value: property.TextValue(value)})
}

// withProperties adds one person for each element of values and returns the people.
func (s tenant) withProperties(values ...property.Values) []person.State {
	s.t.Helper()
	people := make([]person.State, len(values))
	for i, v := range values {
		people[i] = s.newPerson(string(rune('a'+i)) + "@example.test")
		people[i].Properties = v
		s.save(people[i])
	}
	return people
}
