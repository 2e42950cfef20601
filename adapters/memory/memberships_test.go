package memory_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
	"pgregory.net/rapid"
)

// ofGroup returns a condition on the groups with the given numbers.
func ofGroup(op query.Op, numbers ...int) query.Cond {
	c := query.Cond{Attr: membership.Schema.Attr("group.id"), Op: op}
	for _, n := range numbers {
		c.Values = append(c.Values, query.Value{ID: nth(n)})
	}
	return c
}

// Memberships are also stored by person and by group, and lists use these orders. Every page must
// equal the page that Evaluate computes.
func TestMembershipListMatchesEvaluate(t *testing.T) {
	managers := query.Cond{
		Attr: membership.Schema.Attr("role"), Op: query.Eq, Values: []query.Value{{Text: "manager", Fold: "manager"}},
	}
	drawWhere := rapid.SampledFrom([]query.Expr{
		nil, managers, ofGroup(query.Eq, 0), ofGroup(query.Eq, 1), ofGroup(query.Eq, 2), ofGroup(query.Eq, 404),
		ofGroup(query.Eq), ofGroup(query.Eq, 0, 2), ofGroup(query.NotEq, 1),
		query.And{ofGroup(query.Eq, 1), managers},
		query.And{managers, query.And{ofGroup(query.Eq, 1)}},
		query.And{ofGroup(query.Eq, 1), ofGroup(query.Eq, 2)},
		query.Or{ofGroup(query.Eq, 1), managers},
	})
	drawSort := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) query.Order {
		attr := rapid.SampledFrom([]string{"created_at", "uuid", "role", "group.id", "person.id"}).Draw(rt, "attr")
		return query.Order{Attr: membership.Schema.Attr(attr), Desc: rapid.Bool().Draw(rt, "desc")}
	}), 0, 3)
	rapid.Check(t, func(rt *rapid.T) {
		const people, groups = 12, 3
		store, s := newSchool(t)
		addPeople(t, store, s, 0, people)
		addGroups(t, store, s, groups)
		var rows []membership.Membership
		for i := range rapid.IntRange(0, people*groups).Draw(rt, "memberships") {
			m := join(i, i/groups, i%groups)
			m.Role = rapid.SampledFrom(membership.Roles()).Draw(rt, "role")
			m.CreatedAt = then.Add(time.Duration(rapid.IntRange(0, 3).Draw(rt, "age")) * time.Hour)
			rows = append(rows, m)
		}
		gone := rapid.IntRange(0, len(rows)).Draw(rt, "gone")
		write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Memberships.AddIfAbsent(ctx, rows)
			for _, m := range rows[:gone] {
				err = errors.Join(err, tx.Memberships.Delete(ctx, m.ID))
			}
			return err
		})
		for range 20 {
			q := query.Query{
				Where: drawWhere.Draw(rt, "where"),
				Sort:  drawSort.Draw(rt, "sort"),
				Page:  query.NewPage(rapid.Int64Range(1, 4).Draw(rt, "page"), rapid.IntRange(1, 12).Draw(rt, "limit")),
			}
			got, err := store.Read(s).Memberships.List(t.Context(), q)
			if err != nil {
				rt.Fatal(err)
			}
			want := membership.Schema.Evaluate(q, rows[gone:])
			if got.More != want.More || !slices.Equal(got.Items, want.Items) {
				rt.Fatalf("%+v: want %+v, got %+v", q, want, got)
			}
		}
	})
}

// The context of each list ends after six checks. A list checks it every 1000 rows, so a scan of
// all rows would fail.
func TestMembershipPagesAreNotScanned(t *testing.T) {
	const members, limit = 20_000, 25
	store, s := newSchool(t)
	addPeople(t, store, s, 0, members)
	addGroups(t, store, s, 3)
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		var ms []membership.Membership
		for i := range members {
			ms = append(ms, join(i, i, 1))
		}
		_, err := tx.Memberships.AddIfAbsent(ctx, append(ms, join(members, 0, 0), join(members+1, 0, 2)))
		return err
	})
	for _, tt := range []struct {
		name string
		page int64
		want int
	}{
		{"first page", 1, limit},
		{"deep page", members / limit, limit},
		{"past the end", members/limit + 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			asks := 6
			page, err := store.Read(s).Memberships.List(dying{t.Context(), &asks}, query.Query{
				Where: ofGroup(query.Eq, 1), Page: query.NewPage(tt.page, limit),
			})
			is.NoErr(err)
			is.Equal(len(page.Items), tt.want)
			is.Equal(page.More, tt.page == 1)
		})
	}
}

func TestFailedMembershipsChangeNothing(t *testing.T) {
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 2)
	addGroups(t, store, s, 2)
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		is := is.New(t)
		_, err := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{join(10, 0, 0)})
		is.NoErr(err)
		for name, ms := range map[string][]membership.Membership{
			"unknown person":           {join(11, 1, 1), join(12, 404, 0)},
			"unknown group":            {join(11, 1, 1), join(12, 1, 404)},
			"an id that is there":      {join(11, 1, 1), join(10, 1, 0)},
			"an id for two that begin": {join(11, 1, 1), join(11, 1, 0)},
		} {
			n, err := tx.Memberships.AddIfAbsent(ctx, ms)
			if err == nil || n != 0 || len(fault.All(err)) != 0 {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		page, err := tx.Memberships.List(ctx, query.Query{})
		is.NoErr(err)
		is.Equal(page.Items, []membership.Membership{join(10, 0, 0)})
		g, err := tx.Groups.Get(ctx, groupID(1))
		is.NoErr(err)
		is.Equal(g.MembershipCount, int64(0))

		n, err := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{join(10, 0, 0)})
		is.NoErr(err) // adding the same membership again is allowed
		is.Equal(n, 0)
		return nil
	})
}

func TestDeleteFailsWhileMembershipsExist(t *testing.T) {
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 1)
	addGroups(t, store, s, 1)
	for _, role := range membership.Roles() {
		write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
			is := is.New(t)
			m := join(10, 0, 0)
			m.Role = role
			_, err := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{m})
			is.NoErr(err)
			for _, err := range []error{tx.People.Delete(ctx, personID(0)), tx.Groups.Delete(ctx, groupID(0))} {
				is.True(err != nil)
				is.Equal(len(fault.All(err)), 0) // a defect of the caller, not a fault
			}
			return tx.Memberships.Delete(ctx, m.ID)
		})
	}
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(tx.People.Delete(ctx, personID(0)), tx.Groups.Delete(ctx, groupID(0)))
	})
}

// The rows of different groups are adjacent in one tree. Removing a group must remove only its own
// rows.
func TestDeleteGroupKeepsRowsOfOtherGroups(t *testing.T) {
	is := is.New(t)
	const many = 5
	store, s := newSchool(t)
	addPeople(t, store, s, 0, many)
	addCourses(t, store, s, many)
	addGroups(t, store, s, many)
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		for g := range many {
			for i := range many {
				if _, err := tx.Memberships.AddIfAbsent(ctx, []membership.Membership{join(many*g+i, i, g)}); err != nil {
					return err
				}
				if _, err := tx.Groups.AddCourses(ctx, groupID(g), []course.ID{courseID(i)}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Memberships.DeleteByGroup(ctx, groupID(2), math.MaxInt)
		return errors.Join(err, tx.Groups.Delete(ctx, groupID(2)))
	})

	for g := range many {
		left := many
		if g == 2 {
			left = 0
		}
		members, err := store.Read(s).Memberships.MemberIDs(t.Context(), groupID(g))
		is.NoErr(err)
		is.Equal(len(members), left)
		is.True(slices.IsSortedFunc(members, func(a, b person.ID) int { return slices.Compare(a.UUID[:], b.UUID[:]) }))
		write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
			held, err := tx.Groups.CourseIDs(ctx, []group.ID{groupID(g)})
			is.Equal(len(held[groupID(g)]), left)
			return err
		})
	}
	p, err := store.Read(s).People.Get(t.Context(), personID(0))
	is.NoErr(err)
	is.Equal(p.GroupCount, int64(many-1))
}
