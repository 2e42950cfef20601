package policies_test

import (
	"fmt"
	"testing"

	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/test/kit/stores"
)

var enrolling = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Enroll: everyThird(verdict, func(e policy.Enrolling) int { return number(e.Person.Email) })}
	},
	taken: func(w *world) int { return w.enrolled("geometry") },
	ways: []way{
		{
			name: "a person is enrolled", single: true, fault: "invalid: row 1: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Enrollments.Enroll(w.t.Context(), w.actor, w.people[numbers[0]], courseRoles(w, "geometry", enrollment.Learner))
			},
		},
		{
			name: "learners are added to a course", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Enrollments.AddPeople(enrollment.Learner)(w.t.Context(), w.actor, w.course["geometry"], w.those(numbers))
			},
		},
		{
			name: "managers are added to a course", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Enrollments.AddPeople(enrollment.Manager)(w.t.Context(), w.actor, w.course["geometry"], w.those(numbers))
			},
		},
		{
			name: "a person joins a group with the course", single: true, fault: "invalid: row 1: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.Join(w.t.Context(), w.actor, w.people[numbers[0]], rolesIn(w, "Figures", membership.Member))
			},
		},
		{
			name: "people are added to a group with the course", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Memberships.AddPeople(w.t.Context(), w.actor, w.group["Figures"], w.those(numbers))
			},
		},
		{
			name: "people in bulk", each: true, fault: "row %d: groups/0: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.bulkPeople(a, "Figures", numbers) },
		},
		{
			name: "people as CSV", fault: "line %d: groups: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error { return w.csv(a, false, "Figures", numbers) },
		},
		{
			name: "lines", fault: "line %d: enrollment: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return fmt.Sprintf(`{"kind": "enrollment", "course": "geometry", "person": %q, "role": "learner"}`, email(i))
				})
			},
		},
		{
			name: "the group of a person gets the course", single: true, fault: "invalid: row 1: id: " + detail, before: ownGroups,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Groups.AddCourses(w.t.Context(), w.actor, w.group[code(numbers[0])], []course.ID{w.course["geometry"]})
			},
		},
		{
			name: "groups in bulk", each: true, fault: "row %d: courses/0: " + detail, before: ownGroups,
			take: func(w *world, a *app.App, numbers ...int) error {
				rows := make([]bulk.Row, len(numbers))
				for i, n := range numbers {
					rows[i] = bulk.Groups.NewRow(i, code(n), []bulk.Target{{Field: "courses/0", Name: "geometry"}}, nil, nil)
				}
				return w.bulkRows(a, bulk.Groups, rows)
			},
		},
	},
}

func TestEnrolling(t *testing.T) { enrolling.tryAll(t) }

var unenrolling = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Unenroll: everyThird(verdict, func(u policy.Unenrolling) int { return number(u.Person.Email) })}
	},
	taken: func(w *world) int { return peopleCount - w.enrolled("algebra") },
	ways: []way{
		{
			name: "a person is taken out of a course", single: true, fault: "invalid: row 1: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Enrollments.Unenroll(w.t.Context(), w.actor, w.people[numbers[0]], courseRoles(w, "algebra", enrollment.Learner))
			},
		},
		{
			name: "people are removed from a course", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Enrollments.RemovePeople(enrollment.Learner)(w.t.Context(), w.actor, w.course["algebra"], w.those(numbers))
			},
		},
	},
}

func TestUnenrolling(t *testing.T) { unenrolling.tryAll(t) }

func courseRoles(w *world, permalink string, role enrollment.Role) []app.CourseRole {
	return []app.CourseRole{{Course: w.course[permalink], Role: role}}
}

// enrolled returns the number of enrollments in a course, of both roles.
func (w *world) enrolled(permalink string) int {
	w.t.Helper()
	all, err := w.apps[1].Enrollments.ListOf(w.t.Context(), w.actor, permalink, query.Query{Page: query.AllRows()})
	must(w.t, err)
	return len(all.Items)
}

// ownGroups creates a group for each person, with the person as its only member. The name of a
// group is the code for the number of its person.
func ownGroups(w *world) {
	w.t.Helper()
	for i, id := range w.people {
		name := code(i)
		g, err := w.apps[0].Groups.Create(w.t.Context(), w.actor, group.Changes{Name: &name})
		must(w.t, err)
		must(w.t, w.apps[0].Memberships.Join(w.t.Context(), w.actor, id, []app.GroupRole{{Group: g.ID, Role: membership.Member}}))
		w.group[code(i)] = g.ID
	}
}

// TestUnenrollingByProgress checks that a rule gets the progress of a learner, and that the
// progress of a manager is 0.
func TestUnenrollingByProgress(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, 2, policy.Set{Unenroll: policy.Rules[policy.Unenrolling]{{
			Needs: policy.Progress, Check: func(u policy.Unenrolling) error {
				if u.Progress >= decimal.OneHundred/2 {
					return fault.Invalidf("", "has completed %s%%", u.Progress)
				}
				return nil
			},
		}}})
		ctx, a := t.Context(), w.apps[0]
		must(t, a.Enrollments.AddPeople(enrollment.Manager)(ctx, w.actor, w.course["algebra"], w.people))
		for i, titles := range [][]string{{"Read", "Watch"}, {"Read"}} {
			for _, title := range titles {
				_, _, err := a.Learning.CompleteActivity(ctx, w.actor, w.people[i], w.act[title])
				must(t, err)
			}
		}
		must(t, a.Enrollments.RemovePeople(enrollment.Manager)(ctx, w.actor, w.course["algebra"], w.people))
		err := a.Enrollments.RemovePeople(enrollment.Learner)(ctx, w.actor, w.course["algebra"], []person.ID{w.people[1], w.people[0]})
		if got := fmt.Sprint(faultsOf(t, err)); got != "[invalid: row 2: has completed 50%]" {
			t.Errorf("refused are %s", got)
		}
		must(t, a.Enrollments.Unenroll(ctx, w.actor, w.people[1], courseRoles(w, "algebra", enrollment.Learner)))
		w.want(w.enrolled("algebra"), 1)
	})
}
