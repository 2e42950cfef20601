package memory_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
	"pgregory.net/rapid"
)

// The store evaluates a query in one of four ways, depending on filter and order. Every page must
// equal the page that Evaluate computes.
func TestListMatchesEvaluate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		store, s := newSchool(t)
		rows := drawPeople(rt, t, store, s)
		for range 20 {
			q := query.Query{
				Where: drawExpr(rows, 2).Draw(rt, "where"),
				Sort:  drawSort.Draw(rt, "sort"),
				Page:  query.NewPage(rapid.Int64Range(1, 4).Draw(rt, "page"), rapid.IntRange(1, 12).Draw(rt, "limit")),
			}
			got, err := store.Read(s).People.List(t.Context(), q)
			if err != nil {
				rt.Fatal(err)
			}
			want := person.Schema.Evaluate(q, rows)
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
				rt.Fatalf("%+v: (-want +got)\n%s", q, d)
			}
		}
	})
}

var (
	drawName = rapid.SampledFrom([]string{"", "Ada", "ada", "Éa", "ea", "Zoë", "Straße", "strasse"})
	drawAttr = rapid.SampledFrom([]string{
		"uuid", "email", "first_name", "full_name", "name", "custom_avatar_url", "unsubscribed", "course_count", "created_at",
	})
	drawSort = rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) query.Order {
		return query.Order{Attr: person.Schema.Attr(drawAttr.Draw(rt, "attr")), Desc: rapid.Bool().Draw(rt, "desc")}
	}), 0, 3)
)

// drawPeople adds people, renames and removes some, and returns the remaining people.
func drawPeople(rt *rapid.T, t *testing.T, store *memory.Store, s school.ID) []person.Summary {
	t.Helper()
	n := rapid.IntRange(0, 40).Draw(rt, "people")
	var rows []person.Summary
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		for i := range n {
			p := newPerson(i).State()
			p.FirstName, p.LastName = drawName.Draw(rt, "first"), ""
			p.Unsubscribed = rapid.Bool().Draw(rt, "unsubscribed")
			if url := drawName.Draw(rt, "avatar"); url != "" {
				p.AvatarURL = &url
			}
			if err := tx.People.Add(ctx, person.Restore(p)); err != nil {
				return err
			}
			rows = append(rows, person.Summary{State: p})
		}
		return nil
	})
	for i, change := range rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(rt, "changes") {
		switch change {
		case 1:
			rows[i].FirstName, rows[i].Email = drawName.Draw(rt, "renamed"), fmt.Sprintf("New%d@Example.test", i)
			write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
				return tx.People.Save(ctx, person.Restore(rows[i].State))
			})
		case 2:
			write(t, store, s, func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, rows[i].ID) })
			rows[i].ID = person.ID{}
		}
	}
	return slices.DeleteFunc(rows, func(p person.Summary) bool { return p.ID == person.ID{} })
}

// drawExpr draws filters up to the given depth. The operands are values of the rows. A filter of
// depth 2 may be nil.
func drawExpr(rows []person.Summary, depth int) *rapid.Generator[query.Expr] {
	return rapid.Custom(func(rt *rapid.T) query.Expr {
		shape := rapid.IntRange(0, 4).Draw(rt, "shape")
		if shape == 0 && depth == 2 {
			return nil
		}
		if depth == 0 || shape < 3 {
			return drawCond(rt, rows)
		}
		parts := rapid.SliceOfN(drawExpr(rows, depth-1), 0, 3).Draw(rt, "parts")
		if shape == 3 {
			return query.Or(parts)
		}
		return query.And(parts)
	})
}

func drawCond(rt *rapid.T, rows []person.Summary) query.Cond {
	like := person.Summary{State: newPerson(404).State()}
	if len(rows) > 0 {
		like = rapid.SampledFrom(rows).Draw(rt, "like")
	}
	of := func(s string) query.Value { return query.Value{Text: s, Fold: text.Fold(s)} }
	conds := []query.Cond{
		{Attr: person.Schema.Attr("uuid"), Op: query.Eq, Values: []query.Value{{ID: like.ID.UUID}, {ID: nth(0)}, {ID: like.ID.UUID}}},
		{Attr: person.Schema.Attr("uuid"), Op: query.NotEq, Values: []query.Value{{ID: like.ID.UUID}}},
		{Attr: person.Schema.Attr("email"), Op: query.Eq, Values: []query.Value{of(like.Email), of("P1@example.test"), of("p2@example.test")}},
		{Attr: person.Schema.Attr("full_name"), Op: query.Cont, Values: []query.Value{of("A")}},
		{Attr: person.Schema.Attr("first_name"), Op: query.Eq, Values: []query.Value{of(like.FirstName)}},
		{Attr: person.Schema.Attr("custom_avatar_url"), Op: query.Null, Values: []query.Value{{Bool: true}}},
		{Attr: person.Schema.Attr("unsubscribed"), Op: query.Eq, Values: []query.Value{{Bool: true}}},
	}
	return rapid.SampledFrom(conds).Draw(rt, "cond")
}

// A link consists of a prefix, a stored text and a suffix. A filter on a link to a unique text
// visits only one row, but must still be exact.
func TestFilterOnLinkToUniqueText(t *testing.T) {
	store, s := newSchool(t)
	addCourses(t, store, s, 5)
	link := course.Schema.With("link", "https://example.test/c/", "permalink", "/cover").Attr("link")
	for _, tt := range []struct {
		link string
		want int
	}{
		{"https://example.test/c/course-3/cover", 1},
		{"https://example.test/c/course-9/cover", 0},
		{"https://example.test/c/course-3", 0},
		{"course-3/cover", 0},
		{"course-3", 0},
		{"https://example.test/c/COURSE-3/cover", 0},
	} {
		t.Run(tt.link, func(t *testing.T) {
			is := is.New(t)
			where := query.Cond{Attr: link, Op: query.Eq, Values: []query.Value{{Text: tt.link, Fold: text.Fold(tt.link)}}}
			page, err := store.Read(s).Courses.List(t.Context(), query.Query{Where: where})
			is.NoErr(err)
			is.Equal(len(page.Items), tt.want)
		})
	}
}

// dying is a context whose Err returns Canceled after the first asks calls.
type dying struct {
	context.Context
	asks *int
}

func (d dying) Err() error {
	if *d.asks--; *d.asks < 0 {
		return context.Canceled
	}
	return nil
}

func TestLongListsEndWithTheirContext(t *testing.T) {
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 5000)
	unknown := query.Cond{Attr: person.Schema.Attr("first_name"), Op: query.Eq, Values: []query.Value{{Text: "unknown"}}}
	for name, q := range map[string]query.Query{
		"page": {Page: query.AllRows()},
		"walk": {Where: unknown},
		"sort": {Sort: []query.Order{{Attr: person.Schema.Attr("email"), Desc: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			asks := 3
			page, err := store.Read(s).People.List(dying{t.Context(), &asks}, q)
			is.True(errors.Is(err, context.Canceled))
			is.Equal(len(page.Items), 0)
			is.True(asks > -10) // the list stopped soon after the end of the context
		})
	}
}

func TestUnknownSchoolIsNotFound(t *testing.T) {
	is := is.New(t)
	r := memory.New().Read(school.ID{UUID: nth(1)})
	_, err := r.Categories.List(t.Context(), query.Query{})
	is.True(fault.Is(err, fault.NotFound))
	_, err = r.Courses.List(t.Context(), query.Query{})
	is.True(fault.Is(err, fault.NotFound))
	_, err = r.People.List(t.Context(), query.Query{})
	is.True(fault.Is(err, fault.NotFound))
	_, err = r.Enrollments.ByPerson(t.Context(), personID(1))
	is.True(fault.Is(err, fault.NotFound))
	_, err = r.Groups.List(t.Context(), query.Query{})
	is.True(fault.Is(err, fault.NotFound))
	_, err = r.Memberships.MemberIDs(t.Context(), groupID(1))
	is.True(fault.Is(err, fault.NotFound))
}

// A school may have many definitions with many options. A list reads their names once, not for each
// row.
func TestListsReadPropertyNamesOnce(t *testing.T) {
	const rows, definitions = 200, 50
	for _, tt := range []struct {
		name              string
		withoutProperties bool
	}{{"with properties", false}, {"without properties", true}} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			store, s := newSchool(t)
			addPeople(t, store, s, 0, rows)
			allocations := func() float64 {
				return testing.AllocsPerRun(3, func() {
					page, err := store.Read(s).People.List(t.Context(), query.Query{
						Page: query.AllRows(), WithoutProperties: tt.withoutProperties,
					})
					is.NoErr(err)
					is.Equal(len(page.Items), rows)
				})
			}
			before := allocations()
			write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
				for i := range definitions {
					d := property.State{
						ID: property.ID{UUID: nth(i)}, Resource: property.People, Name: fmt.Sprint("field", i),
						Kind: property.Text, Options: []string{"a", "b"}, CreatedAt: then, UpdatedAt: then,
					}
					if err := tx.Properties.Add(ctx, property.Restore(d)); err != nil {
						return err
					}
				}
				return nil
			})
			is.True(allocations() < before+rows)
		})
	}
}

func TestListedRowsAreCopies(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	url, activated := "https://example.test/a.png", then
	p := newPerson(0).State()
	p.AvatarURL, p.ActivatedAt = &url, &activated
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		if err := tx.People.Add(ctx, person.Restore(p)); err != nil {
			return err
		}
		_, err := tx.Partnerships.AddIfAbsent(ctx, person.Partnership{
			ID: person.PartnershipID{UUID: nth(9)}, Person: p.ID, Role: person.Owner, CreatedAt: then,
		})
		return err
	})

	for range 2 { // the second iteration would see changes of the first
		page, err := store.Read(s).People.List(t.Context(), query.Query{})
		is.NoErr(err)
		row := page.Items[0]
		is.Equal(*row.AvatarURL, "https://example.test/a.png")
		is.Equal(*row.ActivatedAt, then)
		is.Equal(row.Partnerships, []person.PartnershipID{{UUID: nth(9)}})
		*row.AvatarURL, *row.ActivatedAt, row.Partnerships[0] = "spoilt", time.Time{}, person.PartnershipID{}
	}
}
