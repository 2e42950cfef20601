package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
)

// crowded is a school with people p0, p1, … who are all members of the group Large, and with
// courses c0, c1, … which all belong to the group Shelf.
type crowded struct {
	*app.App
	actor   app.Actor
	groups  map[string]group.ID
	people  []person.ID
	courses []course.ID
}

func newCrowded(t *testing.T, people, courses int) *crowded {
	t.Helper()
	is := is.New(t)
	var lines strings.Builder
	lines.WriteString(`{"kind": "group", "name": "Large"}` + "\n" + `{"kind": "group", "name": "Shelf"}` + "\n")
	for i := range people {
		fmt.Fprintf(&lines, "{\"kind\": \"person\", \"email\": \"p%d@example.test\"}\n", i)
		fmt.Fprintf(&lines, "{\"kind\": \"membership\", \"group\": \"Large\", \"person\": \"p%d@example.test\", \"role\": \"member\"}\n", i)
	}
	for i := range courses {
		fmt.Fprintf(&lines, "{\"kind\": \"course\", \"permalink\": \"c%d\", \"name\": \"Course %d\"}\n", i, i)
		fmt.Fprintf(&lines, "{\"kind\": \"group_course\", \"group\": \"Shelf\", \"course\": \"c%d\"}\n", i)
	}
	store := memory.New()
	c := &crowded{
		App:    app.New(store, store.Schools(), store.Queue(), nil, fake.NewInvitationSender(), fake.NewClock(start), fake.NewIDs()),
		groups: map[string]group.ID{},
	}
	id, _, err := kit.School{Name: "Crowded", Lines: lines.String()}.Import(t.Context(), c.App)
	is.NoErr(err)
	c.actor = app.SystemActor(id)
	all := query.Query{Page: query.AllRows()}
	groups, err := c.Groups.List(t.Context(), c.actor, all)
	is.NoErr(err)
	for _, g := range groups.Items {
		c.groups[g.Name] = g.ID
	}
	everyone, err := c.People.List(t.Context(), c.actor, all)
	is.NoErr(err)
	for _, p := range everyone.Items {
		c.people = append(c.people, p.ID)
	}
	catalog, err := c.Courses.List(t.Context(), c.actor, all)
	is.NoErr(err)
	for _, k := range catalog.Items {
		c.courses = append(c.courses, k.ID)
	}
	return c
}

// enrolled returns the number of enrollments.
func (c *crowded) enrolled(t *testing.T) int {
	t.Helper()
	people, err := c.People.List(t.Context(), c.actor, query.Query{Page: query.AllRows()})
	is.New(t).NoErr(err)
	n := int64(0)
	for _, p := range people.Items {
		n += p.CourseCount
	}
	return int(n)
}

// A request that would add more than 100,000 enrollments is refused as a whole, with a fault at the
// first element that is too many. A request that adds at most 100,000 is accepted.
func TestMaxAddedEnrollments(t *testing.T) {
	const people, courses = 400, 251
	for name, tc := range map[string]struct {
		add  func(c *crowded, less int) error
		row  int
		less int // number of elements to leave out so that the request is accepted
	}{
		"courses to a group": {func(c *crowded, less int) error {
			return c.Groups.AddCourses(t.Context(), c.actor, c.groups["Large"], c.courses[less:])
		}, 250, 1},
		"people to a group": {func(c *crowded, less int) error {
			return c.Memberships.AddPeople(t.Context(), c.actor, c.groups["Shelf"], c.people[less:])
		}, 398, 2},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newCrowded(t, people, courses)
			f := firstFault(t, tc.add(c, 0))
			is.Equal([]any{f.Kind, f.Row - 1, f.Detail},
				[]any{fault.Invalid, tc.row, "would add 100400 enrollments (maximum is 100000 per request)"})
			is.Equal(c.enrolled(t), 0)
			is.NoErr(tc.add(c, tc.less))
			is.True(c.enrolled(t) > enrollment.MaxAdded-courses)
			is.NoErr(tc.add(c, 0)) // existing enrollments do not count
			is.Equal(c.enrolled(t), people*courses)
		})
	}
}

// In a CSV import of people, the limit applies to each row, not to the whole file.
func TestMaxAddedEnrollmentsByFile(t *testing.T) {
	is := is.New(t)
	const people, courses = 400, 251
	c := newCrowded(t, people, courses)
	var file strings.Builder
	file.WriteString("email,groups\n")
	for i := range people {
		fmt.Fprintf(&file, "p%d@example.test,Shelf\n", i)
	}
	_, err := c.Transfers.ImportPeople(t.Context(), c.actor, kit.Reading(file.String()), false)
	is.NoErr(err)
	is.Equal(c.enrolled(t), people*courses)
}

// A role that a request contains twice is counted once, and only if it enrolls the person.
func TestMaxAddedEnrollmentsOfAPerson(t *testing.T) {
	is := is.New(t)
	c := newCrowded(t, 1, 1)
	group := c.groups["Shelf"]
	is.NoErr(c.Memberships.Join(t.Context(), c.actor, c.people[0], []app.GroupRole{
		{Group: group, Role: membership.Manager}, {Group: group, Role: membership.Member}, {Group: group, Role: membership.Member},
	}))
	is.Equal(c.enrolled(t), 1)
}
