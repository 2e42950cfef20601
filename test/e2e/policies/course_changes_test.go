package policies_test

import (
	"fmt"
	"strings"
	"testing"

	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/domain/structure"
)

// ownCourses creates a course for each person, and the records to which the courses refer, without
// applying rules. The name of a course is the code for the number of its person.
func ownCourses(w *world) {
	w.t.Helper()
	all := []string{
		`{"kind": "category", "name": "Numbers"}`,
		fmt.Sprintf(`{"kind": "partnership", "person": %q, "role": "instructor"}`, email(0)),
	}
	for i := range w.people {
		all = append(all,
			fmt.Sprintf(`{"kind": "quiz", "name": %q, "questions": [{"text": "1?", "choices": [{"text": "1", "correct": true}, {"text": "2"}]}]}`, code(i)),
			courseLine(i, code(i)),
			fmt.Sprintf(`{"kind": "activity", "course": %q, "title": "Quiz", "type": "quiz", "quiz": %q}`, permalink(i), code(i)))
	}
	w.importedUnasked(all...)
	ctx := w.t.Context()
	for i := range w.people {
		id, err := w.apps[0].Courses.Find(ctx, w.actor, permalink(i))
		must(w.t, err)
		w.course[permalink(i)] = id
	}
}

func permalink(i int) string { return fmt.Sprintf("course-%d", i) }

func courseLine(i int, name string) string {
	return fmt.Sprintf(`{"kind": "course", "permalink": %q, "name": %q}`, permalink(i), name)
}

// courseNumber returns the number of a course of ownCourses, or -1 for any other course.
func courseNumber(c course.State) int { return number(strings.TrimPrefix(c.Permalink, "course-")) }

// changedCourses returns the number of courses of ownCourses that differ from their initial state.
func (w *world) changedCourses() int {
	w.t.Helper()
	ctx, a, n := w.t.Context(), w.apps[1], 0
	for i := range w.people {
		id, ok := w.course[permalink(i)]
		if !ok {
			continue // not yet created
		}
		c, err := a.Courses.Get(ctx, w.actor, id.String())
		must(w.t, err)
		s, err := a.Structures.Get(ctx, w.actor, id.String())
		must(w.t, err)
		same := len(s.Activities) == 1 && s.Activities[0].Title == "Quiz"
		for _, q := range s.Quizzes {
			same = same && len(q.Questions) == 1
		}
		if !same || c.Name != code(i) || len(c.Categories)+len(c.Instructors) > 0 {
			n++
		}
	}
	return n
}

var changingCourses = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{ChangeCourse: everyThird(verdict, func(c policy.ChangingCourse) int { return courseNumber(c.Before) })}
	},
	taken: (*world).changedCourses,
	ways: []way{
		{
			name: "a course is updated", single: true, fault: "invalid: id: " + detail, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				name := "Changed"
				_, err := a.Courses.Update(w.t.Context(), w.actor, w.course[permalink(numbers[0])],
					app.CourseChanges{Changes: course.Changes{Name: &name}})
				return err
			},
		},
		{
			name: "a course gets a category", single: true, fault: "invalid: id: " + detail, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				all, err := a.Categories.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
				must(w.t, err)
				return a.Courses.Categories(app.AddRelated)(w.t.Context(), w.actor, w.course[permalink(numbers[0])],
					[]category.ID{all.Items[0].ID})
			},
		},
		{
			name: "a course gets an instructor", single: true, fault: "invalid: id: " + detail, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				all, err := a.Partnerships.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
				must(w.t, err)
				return a.Courses.Instructors(app.ReplaceRelated)(w.t.Context(), w.actor, w.course[permalink(numbers[0])],
					[]person.PartnershipID{all.Items[0].ID})
			},
		},
		{
			name: "the structure is replaced", single: true, fault: "invalid: id: " + detail, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.Structures.Replace(w.t.Context(), w.actor, permalink(numbers[0]), app.StructureUpdate{
					Plan:  structure.Plan{Activities: []structure.Activity{{Key: "new", Title: "New", Kind: "text"}}},
					Check: func(structure.Structure) error { return nil },
				})
				return err
			},
		},
		{
			name: "lines about courses", fault: "line %d: course: id: " + detail, offset: 1, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string { return courseLine(i, "Changed") })
			},
		},
		{
			name: "lines about new activities", fault: "line %d: activity: id: " + detail, offset: 1, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return fmt.Sprintf(`{"kind": "activity", "course": %q, "title": "New", "type": "text"}`, permalink(i))
				})
			},
		},
		{
			name: "lines about activities", fault: "line %d: activity: id: " + detail, offset: 1, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return fmt.Sprintf(`{"kind": "activity", "course": %q, "key": "quiz", "title": "Renamed", "type": "quiz", "quiz": %q}`,
						permalink(i), code(i))
				})
			},
		},
		{
			name: "lines about quizzes", fault: "line %d: quiz: id: " + detail, offset: 1, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				const question = `{"text": "%d?", "choices": [{"text": "1", "correct": true}, {"text": "2"}]}`
				return w.importLines(a, numbers, func(i int) string {
					return fmt.Sprintf(`{"kind": "quiz", "name": %q, "questions": [`+question+`, `+question+`]}`, code(i), 1, 2)
				})
			},
		},
	},
}

func TestChangingCourses(t *testing.T) { changingCourses.tryAll(t) }

var deletingCourses = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{DeleteCourse: everyThird(verdict, func(c policy.DeletingCourse) int { return courseNumber(c.Course) })}
	},
	taken: func(w *world) int {
		all, err := w.apps[1].Courses.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
		must(w.t, err)
		return -len(all.Items)
	},
	ways: []way{
		{
			name: "a course is deleted", single: true, fault: "invalid: id: " + detail, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				return a.Courses.Delete(w.t.Context(), w.actor, w.course[permalink(numbers[0])])
			},
		},
		{
			name: "a course is deleted with all that belongs to it", single: true, fault: "invalid: id: " + detail, before: ownCourses,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.Courses.DeleteAll(w.t.Context(), w.actor, w.course[permalink(numbers[0])])
				return err
			},
		},
	},
}

func TestDeletingCourses(t *testing.T) { deletingCourses.tryAll(t) }
