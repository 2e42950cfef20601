package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/structure"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/intercept"
)

// crowded is a school with people p0, p1, … who are all members of the group Large, and with
// courses c0, c1, … which all belong to the group Shelf.
type crowded struct {
	*app.App
	hook    intercept.Hook // called before every call of the store; nil: nothing
	actor   app.Actor
	clock   *fake.Clock
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
	clock := fake.NewClock(start)
	c := &crowded{clock: clock, groups: map[string]group.ID{}}
	hooked := intercept.Store(store, func(ctx context.Context, call string) error {
		if c.hook == nil {
			return nil
		}
		return c.hook(ctx, call)
	})
	c.App = app.New(hooked, store.Schools(), store.Queue(), nil, fake.NewInvitationSender(), clock, fake.NewIDs())
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

// addActivities makes a course have n activities.
func (c *crowded) addActivities(t *testing.T, id course.ID, n int) error {
	t.Helper()
	var plan structure.Plan
	for i := range n {
		plan.Activities = append(plan.Activities, structure.Activity{Key: fmt.Sprintf("read-%d", i), Title: "Read", Kind: "text"})
	}
	update := app.StructureUpdate{Plan: plan, Check: func(structure.Structure) error { return nil }}
	_, err := c.Structures.Replace(t.Context(), c.actor, id.String(), update)
	return err
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

// A school that has added very many enrollments waits before it adds many more, by requests and by
// bulk requests. Requests that add few are executed.
func TestEnrollmentsBeyondTheAllowance(t *testing.T) {
	is := is.New(t)
	c := newCrowded(t, 1_000, 320)
	some, group := c.courses[300:], c.groups["Large"]
	for i := range 3 { // 100,000 each
		is.NoErr(c.Groups.AddCourses(t.Context(), c.actor, group, c.courses[100*i:100*(i+1)]))
	}
	roles := make([]app.CourseRole, len(some))
	for i, id := range some {
		roles[i] = app.CourseRole{Course: id, Role: enrollment.Learner}
	}
	row := bulk.People.NewRow(0, "p1@example.test", []bulk.Target{{Field: "groups", Name: "Shelf"}}, nil, nil)
	accepted, err := c.Bulk.Accept(t.Context(), c.actor, bulk.People, []bulk.Row{row})
	is.NoErr(err)
	status := func() bulk.Status {
		_, err := c.Bulk.ApplyNext(t.Context())
		is.NoErr(err)
		j, err := c.Bulk.Get(t.Context(), c.actor, accepted.ID)
		is.NoErr(err)
		return j.Status()
	}
	many := map[string]func() error{
		"courses to a group": func() error { return c.Groups.AddCourses(t.Context(), c.actor, group, some[:1]) },
		"people to a group": func() error {
			return c.Memberships.AddPeople(t.Context(), c.actor, c.groups["Shelf"], c.people[2:3])
		},
		"a person to a group": func() error {
			return c.Memberships.Join(t.Context(), c.actor, c.people[3], []app.GroupRole{{Group: c.groups["Shelf"], Role: membership.Member}})
		},
		"an activity for all learners": func() error { return c.addActivities(t, c.courses[0], 1) },
		"a person to courses":          func() error { return c.Enrollments.Enroll(t.Context(), c.actor, c.people[4], roles) },
	}
	for name, add := range many {
		t.Run(name, func(t *testing.T) { is.New(t).True(fault.Is(add(), fault.Unavailable)) })
	}
	is.Equal(c.enrolled(t), 300_000)
	is.Equal(status(), bulk.Queued)
	is.NoErr(c.Enrollments.Enroll(t.Context(), c.actor, c.people[5], roles[:10])) // a few

	for name, add := range many {
		c.clock.Advance(21 * time.Second)
		t.Run(name+" later", func(t *testing.T) { is.New(t).NoErr(add()) })
	}
	is.True(c.enrolled(t) > 301_000)
	is.Equal(status(), bulk.Completed)
}

// The activities that a change of a course structure saves count toward the allowance.
func TestActivitiesBeyondTheAllowance(t *testing.T) {
	is := is.New(t)
	c := newCrowded(t, 1_000, 202)
	for i := range 2 { // 100,000 each, which is the whole allowance
		is.NoErr(c.Groups.AddCourses(t.Context(), c.actor, c.groups["Large"], c.courses[100*i:100*(i+1)]))
	}
	is.NoErr(c.addActivities(t, c.courses[200], 500))
	is.True(fault.Is(c.addActivities(t, c.courses[201], 500), fault.Unavailable))
	c.clock.Advance(100 * time.Millisecond) // 500 activities
	is.NoErr(c.addActivities(t, c.courses[201], 500))
}

// The size of the properties that a row of a bulk request makes the store save again counts toward the
// allowance, not only the row.
func TestSizeOfPropertiesBeyondTheAllowance(t *testing.T) {
	for kind, subject := range map[bulk.Kind]string{bulk.People: "p1@example.test", bulk.Groups: "Shelf"} {
		t.Run(kind.String(), func(t *testing.T) {
			is := is.New(t)
			c := newCrowded(t, 1_000, 200)
			accept := func(subject string, sent map[string]property.Raw) bulk.ID {
				t.Helper()
				j, err := c.Bulk.Accept(t.Context(), c.actor, kind, []bulk.Row{kind.NewRow(0, subject, nil, sent, nil)})
				is.NoErr(err)
				return j.ID
			}
			status := func(id bulk.ID) bulk.Status {
				t.Helper()
				_, err := c.Bulk.ApplyNext(t.Context())
				is.NoErr(err)
				j, err := c.Bulk.Get(t.Context(), c.actor, id)
				is.NoErr(err)
				is.Equal(j.RowsFailed, 0)
				return j.Status()
			}
			large := map[string]property.Raw{}
			for i := range 15 {
				name := fmt.Sprintf("text_%d", i)
				of := property.People
				if kind == bulk.Groups {
					of = property.Groups
				}
				_, err := c.Properties.Create(t.Context(), c.actor, property.Params{Resource: of, Name: name, Kind: property.Text})
				is.NoErr(err)
				large[name] = property.RawText(strings.Repeat("x", 1000))
			}
			is.Equal(status(accept(subject, large)), bulk.Completed)
			c.clock.Advance(time.Second)

			for i := range 2 { // 100,000 each, which is the whole allowance
				is.NoErr(c.Groups.AddCourses(t.Context(), c.actor, c.groups["Large"], c.courses[100*i:100*(i+1)]))
			}
			small := map[string]property.Raw{"text_0": property.RawText("y")}
			is.Equal(status(accept(subject, small)), bulk.Completed) // counts as one row and 14 KB
			next := accept("New@example.test", nil)
			c.clock.Advance(2 * time.Millisecond) // 10 records
			is.Equal(status(next), bulk.Queued)
			c.clock.Advance(2 * time.Millisecond)
			is.Equal(status(next), bulk.Completed)
		})
	}
}
