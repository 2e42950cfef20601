package memory_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"pgregory.net/rapid"
)

// Course analytics must contain a row for each learner and attempt, in whatever order enrollments
// and attempts are added and removed.
func TestCourseAnalyticsFollowEnrollmentsAndAttempts(t *testing.T) {
	type seat struct{ person, course int }
	rapid.Check(t, func(rt *rapid.T) {
		const people, courses = 3, 2
		store, s := newSchool(t)
		addPeople(t, store, s, 0, people)
		addCourses(t, store, s, courses)
		byID := []int{0, 1}
		slices.SortFunc(byID, func(a, b int) int { return ordered.CompareIDs(nth(a), nth(b)) })
		enrolled, begun := map[seat]bool{}, map[seat][]uuid.UUID{}
		for i := range rapid.IntRange(1, 30).Draw(rt, "steps") {
			at := seat{rapid.IntRange(0, people-1).Draw(rt, "person"), rapid.IntRange(0, courses-1).Draw(rt, "course")}
			verb := rapid.IntRange(0, 3).Draw(rt, "verb")
			limit := rapid.IntRange(1, 3).Draw(rt, "limit")
			write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
				switch verb {
				case 0:
					enrolled[at] = true
					_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{enroll(1000+i, at.person, at.course)})
					return err
				case 1:
					delete(enrolled, at)
					e := enroll(0, at.person, at.course)
					_, err := tx.Enrollments.RemoveFromCourses(ctx, e.Person, e.Role, []course.ID{e.Course})
					return err
				case 2:
					a := newAttempt(2000+i, at.person, at.course, i+1)
					begun[at] = append(begun[at], a.ID.UUID)
					return tx.Attempts.Add(ctx, attempt.Restore(a))
				}
				_, err := tx.Attempts.DeleteByPerson(ctx, personID(at.person), limit)
				for _, c := range byID { // in the order in which attempts are deleted
					of := seat{at.person, c}
					n := min(limit, len(begun[of]))
					begun[of], limit = begun[of][n:], limit-n
				}
				return err
			})
		}
		var want []string
		for at := range enrolled {
			attempts := begun[at]
			if len(attempts) == 0 {
				attempts = []uuid.UUID{uuid.Nil}
			}
			for _, id := range attempts {
				row := analytics.CourseProgress{Person: personID(at.person), Course: courseID(at.course), Attempt: attempt.ID{UUID: id}}
				want = append(want, row.Key())
			}
		}
		slices.Sort(want)
		page, err := store.Read(s).CourseAnalytics.List(t.Context(), query.Query{Page: query.AllRows()})
		if err != nil {
			rt.Fatal(err)
		}
		var got []string
		for _, row := range page.Items {
			got = append(got, row.Key())
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			rt.Fatalf("want\n%s\ngot\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
	})
}

// A person may have many attempts at one course, so the cost of a change must not depend on how many
// there are.
func TestChangesOfAttemptsDoNotVisitOtherAttempts(t *testing.T) {
	const few, many = 100, 800
	undone := errors.New("undone")
	for _, tt := range []struct {
		name   string
		change func(ctx context.Context, tx ports.Tx) error
	}{
		{"Add", func(ctx context.Context, tx ports.Tx) error {
			return tx.Attempts.Add(ctx, attempt.Restore(newAttempt(many, 0, 0, many+1)))
		}},
		{"DeleteByPerson", func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Attempts.DeleteByPerson(ctx, personID(0), 1)
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			allocations := func(existing int) float64 {
				store, s := newSchool(t)
				addPeople(t, store, s, 0, 1)
				addCourses(t, store, s, 1)
				write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
					for i := range existing {
						if err := tx.Attempts.Add(ctx, attempt.Restore(newAttempt(i, 0, 0, i+1))); err != nil {
							return err
						}
					}
					_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{enroll(0, 0, 0)})
					return err
				})
				return testing.AllocsPerRun(3, func() {
					err := store.InTx(t.Context(), s, func(ctx context.Context, tx ports.Tx) error {
						return errors.Join(tt.change(ctx, tx), undone)
					})
					is.Equal(err.Error(), undone.Error())
				})
			}
			is.True(allocations(many) < 2*allocations(few))
		})
	}
}

// manyLearners adds n people. Each person is enrolled in two of ten courses and has an attempt at
// the first of them.
func manyLearners(tb testing.TB, n int) (*memory.Store, school.ID) {
	tb.Helper()
	store, s := newSchool(tb)
	addPeople(tb, store, s, 0, n)
	addCourses(tb, store, s, 10)
	for begin := 0; begin < n; begin += 1000 {
		write(tb, store, s, func(ctx context.Context, tx ports.Tx) error {
			for p := begin; p < min(begin+1000, n); p++ {
				first, second := enroll(2*p, p, p%10), enroll(2*p+1, p, (p+1)%10)
				first.CreatedAt, second.CreatedAt = then.Add(time.Duration(p)*time.Second), then.Add(time.Duration(p)*time.Minute)
				if _, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{first, second}); err != nil {
					return err
				}
				if err := tx.Attempts.Add(ctx, attempt.Restore(newAttempt(p, p, p%10, 1))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return store, s
}

func eq(a query.Attr, n int) query.Cond {
	return query.Cond{Attr: a, Op: query.Eq, Values: []query.Value{{ID: nth(n)}}}
}

// The context of each list ends after six checks. A list checks it every 1000 rows, so a scan of
// all rows would fail.
func TestCourseAnalyticsPagesAreNotScanned(t *testing.T) {
	const learners, limit = 10_000, 25
	store, s := manyLearners(t, learners)
	ofPerson, ofCourse := analytics.CourseSchema.Attr("person.id"), analytics.CourseSchema.Attr("course.id")
	begun := analytics.CourseSchema.Attr("course_attempt.id")
	key := analytics.CourseProgress{Person: personID(7), Course: courseID(7), Attempt: attemptID(7)}.Key()
	day := query.Value{From: then.Add(time.Hour), To: then.Add(time.Hour + time.Millisecond)}
	since := query.Cond{Attr: analytics.CourseSchema.Attr("enrolled_at"), Op: query.Lteq, Values: []query.Value{day}}
	for _, tt := range []struct {
		name  string
		where query.Expr
		page  int64
		want  int
	}{
		{"first page", nil, 1, limit},
		{"deep page", nil, 2 * learners / limit, limit},
		{"past the end", nil, 2*learners/limit + 1, 0},
		{"of a person", eq(ofPerson, 7), 1, 2},
		{"of a course", eq(ofCourse, 7), 1, limit},
		{"deep in a course", eq(ofCourse, 7), 2 * learners / 10 / limit, limit},
		{"of a person in a course", query.And{eq(ofCourse, 7), eq(ofPerson, 7)}, 1, 1},
		{"up to an instant", since, 100, limit},
		{"in a course up to an instant", query.And{since, eq(ofCourse, 7)}, 10, limit},
		{"of an attempt", eq(begun, 7), 1, 1},
		{"of an id", query.Cond{
			Attr: analytics.CourseSchema.Attr("uuid"), Op: query.Eq, Values: []query.Value{{Text: key}},
		}, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			asks := 6
			page, err := store.Read(s).CourseAnalytics.List(dying{t.Context(), &asks}, query.Query{
				Where: tt.where, Page: query.NewPage(tt.page, limit),
			})
			is.NoErr(err)
			is.Equal(len(page.Items), tt.want)
		})
	}
}

// Clients poll the feed for the events after an instant, so such a list must not scan the feed.
func TestEventsAfterInstantAreNotScanned(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	addPeople(t, store, s, 0, 1)
	addCourses(t, store, s, 1)
	addLessons(t, store, s, 1)
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		for range 10_000 {
			if err := view(ctx, tx, then, 0, 0); err != nil {
				return err
			}
		}
		return nil
	})
	last := then.Add(9_990 * time.Millisecond)
	asks := 6
	page, err := store.Read(s).Events.List(dying{t.Context(), &asks}, query.Query{Where: query.Cond{
		Attr: event.Schema.Attr("created_at"), Op: query.Gt, Values: []query.Value{{From: last, To: last.Add(time.Millisecond)}},
	}})
	is.NoErr(err)
	is.Equal(len(page.Items), 9)
	is.Equal(page.Items[0].Position, int64(9_992))
}
