package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// snapshotRecords contains the records that each method of a snapshot returns, by the name of the
// method. It has no records of School and Changes.
type snapshotRecords map[string][]any

// readSnapshot calls every method of a snapshot except School and Changes and returns the records.
// If fail is not nil, every callback returns fail, and every method must return fail after its
// first record.
func readSnapshot(ctx context.Context, s ports.Snapshot, fail error) (snapshotRecords, error) {
	got, value := snapshotRecords{}, reflect.ValueOf(s)
	for m := range reflect.TypeFor[ports.Snapshot]().Methods() {
		if m.Name == "School" || m.Name == "Changes" {
			continue
		}
		call := value.MethodByName(m.Name)
		each := reflect.MakeFunc(call.Type().In(1), func(args []reflect.Value) []reflect.Value {
			got[m.Name] = append(got[m.Name], args[0].Interface())
			return []reflect.Value{errorValue(fail)}
		})
		err, _ := call.Call([]reflect.Value{reflect.ValueOf(ctx), each})[0].Interface().(error)
		called := len(got[m.Name]) > 0
		switch {
		case fail != nil && called && err == nil:
			return got, fmt.Errorf("%s ignored the error of its callback", m.Name)
		case fail != nil && called && errors.Is(err, fail):
		case err != nil:
			return got, err
		}
	}
	return got, nil
}

func errorValue(err error) reflect.Value {
	if err == nil {
		return reflect.Zero(reflect.TypeFor[error]())
	}
	return reflect.ValueOf(err)
}

// snapshot reads a snapshot of the school.
func (s tenant) snapshot() snapshotRecords {
	s.t.Helper()
	var got snapshotRecords
	s.must(s.store.Snapshot(s.ctx(), s.id, func(ctx context.Context, sn ports.Snapshot) (err error) {
		got, err = readSnapshot(ctx, sn, nil)
		return err
	}))
	return got
}

// snapshots tests ports.Snapshots and ports.Snapshot.
func snapshots(t *testing.T, b Backend) {
	t.Run("Every method returns every record in order", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, two := w.newBatch("one"), w.newBatch("two")
		w.save(two.records...)
		w.save(one.records...)
		paper := w.newSubmission(two.Attempts[0].State(), two.Activities[3].State())
		w.save(paper)
		later := w.newRedemption(two.Coupons[0].State().ID, two.People[1].State().ID)
		sooner := w.newRedemption(two.Coupons[0].State().ID, two.People[0].State().ID)
		later.CreatedAt = sooner.CreatedAt.Add(time.Second)
		w.save(later, sooner)
		got := w.snapshot()
		owned := func(email string, record any) any {
			switch r := record.(type) {
			case ports.CourseAttempt:
				return ports.WithEmail[ports.CourseAttempt]{Email: email, Record: r}
			case ports.SubmissionRecord:
				return ports.WithEmail[ports.SubmissionRecord]{Email: email, Record: r}
			}
			return nil
		}
		equal := func(method string, want ...any) {
			t.Helper()
			if d := diff(got[method], want); d != "" {
				t.Errorf("%s: %s", method, d)
			}
		}
		ada1, ada2 := "ada-one@example.test", "ada-two@example.test"
		equal("Categories", one.Categories[0].State(), two.Categories[0].State())
		equal("Coupons", one.Coupons[0].State(), two.Coupons[0].State())
		equal("People", one.People[0].State(), two.People[0].State(), one.People[1].State(), two.People[1].State())
		equal("Courses", one.Courses[0].State(), two.Courses[0].State())
		equal("Quizzes", one.Quizzes[0].State(), two.Quizzes[0].State())
		equal("Assignments", one.Assignments[0].State(), two.Assignments[0].State())
		equal("Activities", one.Activities[3].State(), one.Activities[2].State(), one.Activities[0].State(), one.Activities[1].State(),
			two.Activities[3].State(), two.Activities[2].State(), two.Activities[0].State(), two.Activities[1].State())
		equal("Groups", one.Groups[0].State(), two.Groups[0].State())
		equal("GroupCourses", one.GroupCourses[0], two.GroupCourses[0])
		equal("Attempts",
			owned(ada1, ports.CourseAttempt{State: one.Attempts[0].State(), Completions: one.Completions}),
			owned(ada2, ports.CourseAttempt{State: two.Attempts[0].State(), Completions: two.Completions}))
		equal("Redemptions",
			ports.WithEmail[redemption.Redemption]{Email: "ada-two@example.test", Record: sooner},
			ports.WithEmail[redemption.Redemption]{Email: "bob-two@example.test", Record: later})
		equal("Submissions", owned(ada2, ports.SubmissionRecord{Submission: paper, Number: 1}))
		for method, want := range map[string]int{
			"Partnerships": 2, "Memberships": 4, "Enrollments": 4, "QuizAttempts": 4, "Events": 4,
		} {
			is.Equal(len(got[method]), want)
		}
		runs := got["QuizAttempts"]
		equal("QuizAttempts",
			withEmail(runs[0], ada1, one.QuizAttempts[0].State()), withEmail(runs[0], ada1, one.QuizAttempts[1].State()),
			withEmail(runs[0], ada2, two.QuizAttempts[0].State()), withEmail(runs[0], ada2, two.QuizAttempts[1].State()))
		memberships := got["Memberships"]
		equal("Memberships", withEmail(memberships[0], ada1, one.Memberships[0]), withEmail(memberships[0], "bob-one@example.test", one.Memberships[1]),
			withEmail(memberships[0], ada2, two.Memberships[0]), withEmail(memberships[0], "bob-two@example.test", two.Memberships[1]))
		enrollments := got["Enrollments"]
		equal("Enrollments", withEmail(enrollments[0], ada1, one.Enrollments[0]), withEmail(enrollments[0], "bob-one@example.test", one.Enrollments[1]),
			withEmail(enrollments[0], ada2, two.Enrollments[0]), withEmail(enrollments[0], "bob-two@example.test", two.Enrollments[1]))
	})

	t.Run("fn sees one instant, regardless of concurrent writes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.save(w.newBatch("one").records...)
		before := w.snapshot()
		is.NoErr(w.store.Snapshot(w.ctx(), w.id, func(ctx context.Context, s ports.Snapshot) error {
			w.save(w.newBatch("two").records...) // a snapshot does not block writes
			got, err := readSnapshot(ctx, s, nil)
			is.Equal(diff(got, before), "")
			return err
		}))
		is.True(diff(w.snapshot(), before) != "")
	})

	t.Run("A method returns the first error of each, and Snapshot returns the error of fn", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.newBatch("one")
		w.save(c.records...)
		w.save(w.newRedemption(c.Coupons[0].State().ID, c.People[0].State().ID))
		w.save(w.newSubmission(c.Attempts[0].State(), c.Activities[3].State()))
		err := w.store.Snapshot(w.ctx(), w.id, func(ctx context.Context, s ports.Snapshot) error {
			got, err := readSnapshot(ctx, s, errDropped)
			is.NoErr(err)
			for m := range reflect.TypeFor[ports.Snapshot]().Methods() {
				if m.Name != "School" && m.Name != "Changes" {
					is.Equal(len(got[m.Name]), 1)
				}
			}
			return errDropped
		})
		is.True(errors.Is(err, errDropped))
	})

	t.Run("An unknown school is NotFound", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.True(isNotFound(w.store.Snapshot(w.ctx(), newSchoolID(), func(context.Context, ports.Snapshot) error { return nil })))
	})

	t.Run("A Snapshot in a transaction, a Load or a Snapshot is an error", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		nothing := func(context.Context, ports.Snapshot) error { return nil }
		w.do(func(ctx context.Context, _ ports.Tx) error {
			is.True(w.store.Snapshot(ctx, w.id, nothing) != nil)
			return nil
		})
		is.NoErr(w.loader.Load(w.ctx(), w.id, func(ctx context.Context, _ ports.LoadTx) error {
			is.True(w.store.Snapshot(ctx, w.id, nothing) != nil)
			return nil
		}))
		is.NoErr(w.store.Snapshot(w.ctx(), w.id, func(ctx context.Context, s ports.Snapshot) error {
			is.True(w.store.Snapshot(ctx, w.id, nothing) != nil)
			own, err := s.School(ctx)
			is.Equal(own.State().ID, w.id)
			return err
		}))
	})

	t.Run("An ended context ends a Snapshot", func(t *testing.T) {
		for _, cause := range causes() {
			is, w := is.New(t), newWorld(t, b)
			ctx, cancel := cause.end(w.ctx())
			is.True(errors.Is(w.store.Snapshot(ctx, w.id, func(ctx context.Context, s ports.Snapshot) error {
				_, err := readSnapshot(ctx, s, nil)
				return err
			}), cause.err))
			cancel()
		}
	})
}

// withEmail returns record as a ports.WithEmail of the same type as like, with the given email
// address.
func withEmail(like any, email string, record any) any {
	v := reflect.New(reflect.TypeOf(like)).Elem()
	v.FieldByName("Email").SetString(email)
	v.FieldByName("Record").Set(reflect.ValueOf(record))
	return v.Interface()
}

// newSchoolLoads tests LoadNewSchool and the repositories of a load.
func newSchoolLoads(t *testing.T, b Backend) {
	made := func(w world, name string) school.School {
		at := w.nextTime()
		id := newSchoolID()
		return school.Restore(school.State{ID: id, Name: name, Slug: id.String(), Auth: school.Open, CreatedAt: at, UpdatedAt: at})
	}

	t.Run("LoadNewSchool commits the school and its records, or neither", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, s := w.newBatch("one"), made(w, "Made")
		there := w.tenant
		there.id = s.State().ID
		err := w.loader.LoadNewSchool(w.ctx(), s, func(ctx context.Context, l ports.LoadTx) error {
			return errors.Join(l.Add(ctx, c.Batch), errDropped)
		})
		is.True(errors.Is(err, errDropped))
		_, err = w.schools.Get(w.ctx(), there.id)
		is.True(isNotFound(err))
		is.NoErr(w.loader.LoadNewSchool(w.ctx(), s, func(ctx context.Context, l ports.LoadTx) error {
			_, err := w.schools.Get(w.ctx(), there.id)
			is.True(isNotFound(err)) // not visible before the commit
			return l.Add(ctx, c.Batch)
		}))
		found, err := w.schools.Get(w.ctx(), there.id)
		is.NoErr(err)
		is.Equal(diff(found.State(), s.State()), "")
		is.Equal(len(there.all().People), 2)
		is.Equal(there.mustReconcile(), nil)
		is.True(errors.Is(addSchool(w.ctx(), w.loader, s), ports.ErrExists))
	})

	t.Run("LoadNewSchool commits the keys of the school, or none", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		s := made(w, "Opened")
		k := w.newKey(0)
		k.School = s.State().ID
		add := func(failure error) error {
			return w.loader.LoadNewSchool(w.ctx(), s, func(ctx context.Context, l ports.LoadTx) error {
				is.NoErr(l.Tx().Keys.Add(ctx, k))
				return failure
			})
		}
		is.True(errors.Is(add(errDropped), errDropped))
		_, _, err := w.schools.KeyByHash(w.ctx(), k.Hash)
		is.True(isNotFound(err))
		is.NoErr(add(nil))
		found, of, err := w.schools.KeyByHash(w.ctx(), k.Hash)
		is.NoErr(err)
		is.Equal(diff(found, k), "")
		is.Equal(diff(of.State(), s.State()), "")
	})

	t.Run("Concurrent LoadNewSchool calls with one name run one after another", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		var running, overlaps atomic.Int64
		var all sync.WaitGroup
		errs := make([]error, 3)
		for i := range errs {
			s := made(w, "Twice")
			all.Go(func() {
				errs[i] = w.loader.LoadNewSchool(w.ctx(), s, func(context.Context, ports.LoadTx) error {
					if running.Add(1) > 1 {
						overlaps.Add(1)
					}
					time.Sleep(50 * time.Millisecond)
					running.Add(-1)
					return nil
				})
			})
		}
		all.Wait()
		is.NoErr(errors.Join(errs...))
		is.Equal(overlaps.Load(), int64(0))
	})

	t.Run("Submissions are added with the other records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.newBatch("one")
		paper := w.newSubmission(c.Attempts[0].State(), c.Activities[3].State())
		c.Submissions = []submission.Submission{paper}
		is.NoErr(w.load(c.Batch))
		found, err := w.read().Submissions.Get(w.ctx(), paper.ID)
		is.NoErr(err)
		is.Equal(diff(found.Submission, paper), "")
	})

	t.Run("Changes through the repositories of a Load are committed or rolled back with the added records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		old, fresh := w.newBatch("old"), w.newBatch("new")
		w.save(old.records...)
		before := w.all()
		rename := func(end error) error {
			return w.loader.Load(w.ctx(), w.id, func(ctx context.Context, l ports.LoadTx) error {
				tx := l.Tx()
				cat, err := tx.Categories.GetForUpdate(ctx, old.Categories[0].State().ID)
				is.NoErr(err)
				is.NoErr(cat.Rename("Renamed", w.nextTime()))
				is.NoErr(tx.Categories.Save(ctx, cat))
				is.NoErr(l.Add(ctx, fresh.Batch))
				a, err := latestAttempt(ctx, tx, fresh.learner.ID, fresh.course.ID) // added records can be read
				is.NoErr(err)
				is.NoErr(tx.Attempts.Save(ctx, a))
				was, err := latestAttempt(ctx, tx, old.learner.ID, old.course.ID)
				is.NoErr(err)
				is.NoErr(tx.Attempts.Save(ctx, was))
				return end
			})
		}
		is.True(errors.Is(rename(errDropped), errDropped))
		is.Equal(diff(w.all(), before), "")
		is.NoErr(rename(nil))
		after := w.all()
		is.Equal(after.Categories[1].Name, "Renamed")
		is.Equal(len(after.People), 4)
		is.Equal(w.mustReconcile(), nil)
	})
}
