package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/job"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
)

// then is the reference for the times of records and events in these tests.
var then = time.Date(2026, 1, 2, 15, 4, 5, 123_000_000, time.UTC)

// nth returns the n-th UUID of a fixed, unsorted series.
func nth(n int) uuid.UUID { return uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "%d", n)) }

func personID(n int) person.ID { return person.ID{UUID: nth(n)} }
func courseID(n int) course.ID { return course.ID{UUID: nth(n)} }
func groupID(n int) group.ID   { return group.ID{UUID: nth(n)} }
func jobID(n int) job.ID       { return job.ID{UUID: nth(n)} }

// newSchool returns a store with one school.
func newSchool(tb testing.TB) (*memory.Store, school.ID) {
	tb.Helper()
	store := memory.New()
	return store, addSchool(tb, store, 0)
}

func addSchool(tb testing.TB, store *memory.Store, n int) school.ID {
	tb.Helper()
	s, err := school.New(school.ID{UUID: nth(n)}, fmt.Sprintf("School %d", n), school.Open, then)
	if err != nil {
		tb.Fatal(err)
	}
	if err := kit.AddSchool(tb.Context(), store, s); err != nil {
		tb.Fatal(err)
	}
	return s.State().ID
}

// write runs fn in a transaction and fails the test if the transaction fails.
func write(tb testing.TB, store *memory.Store, s school.ID, fn func(ctx context.Context, tx ports.Tx) error) {
	tb.Helper()
	if err := store.InTx(tb.Context(), s, fn); err != nil {
		tb.Fatal(err)
	}
}

func newPerson(n int) person.Person {
	return person.Restore(person.State{
		ID: personID(n), Email: fmt.Sprintf("p%d@example.test", n),
		FirstName: fmt.Sprintf("First%d", n%997), LastName: fmt.Sprintf("Last%d", n%89),
		CreatedAt: then.Add(time.Duration(n) * time.Second), UpdatedAt: then,
	})
}

func newCourse(n int) course.Course {
	return course.Restore(course.State{
		ID: courseID(n), Name: fmt.Sprintf("Course %d", n), Permalink: fmt.Sprintf("course-%d", n),
		EnrollToken: fmt.Sprintf("%040x", n), CreatedAt: then, UpdatedAt: then,
	})
}

// addPeople adds the people begin to end-1 in transactions of 1000.
func addPeople(tb testing.TB, store *memory.Store, s school.ID, begin, end int) {
	tb.Helper()
	for begin < end {
		batch := min(begin+1000, end)
		write(tb, store, s, func(ctx context.Context, tx ports.Tx) error {
			for ; begin < batch; begin++ {
				if err := tx.People.Add(ctx, newPerson(begin)); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func addCourses(tb testing.TB, store *memory.Store, s school.ID, n int) {
	tb.Helper()
	write(tb, store, s, func(ctx context.Context, tx ports.Tx) error {
		for i := range n {
			if err := tx.Courses.Add(ctx, newCourse(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

func enroll(id, p, c int) enrollment.Enrollment {
	return enrollment.Enrollment{
		ID: enrollment.ID{UUID: nth(id)}, Person: personID(p), Course: courseID(c),
		Role: enrollment.Learner, CreatedAt: then, UpdatedAt: then,
	}
}

func newGroup(n int) group.Group {
	return group.Restore(group.State{
		ID: groupID(n), Name: fmt.Sprintf("Group %d", n),
		EnrollToken: fmt.Sprintf("%040x", n), CreatedAt: then, UpdatedAt: then,
	})
}

func addGroups(tb testing.TB, store *memory.Store, s school.ID, n int) {
	tb.Helper()
	write(tb, store, s, func(ctx context.Context, tx ports.Tx) error {
		for i := range n {
			if err := tx.Groups.Add(ctx, newGroup(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

func join(id, p, g int) membership.Membership {
	return membership.Membership{
		ID: membership.ID{UUID: nth(id)}, Person: personID(p), Group: groupID(g),
		Role: membership.Member, CreatedAt: then, UpdatedAt: then,
	}
}

func newJob(s school.ID, n int) job.Job {
	return job.New(jobID(n), s, "chore", fmt.Sprint(n), then)
}

// addJobs adds the jobs begin to end-1 in one transaction.
func addJobs(tb testing.TB, store *memory.Store, s school.ID, begin, end int) {
	tb.Helper()
	write(tb, store, s, func(ctx context.Context, tx ports.Tx) error {
		for n := begin; n < end; n++ {
			if err := tx.Jobs.Add(ctx, newJob(s, n)); err != nil {
				return err
			}
		}
		return nil
	})
}
