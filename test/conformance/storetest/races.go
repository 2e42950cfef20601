package storetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// goroutines is the number of goroutines that atOnce starts.
const goroutines = 20

// races tests that the ports keep their promises under concurrent writes.
func races(t *testing.T, b Backend) {
	t.Run("One of many concurrent enrollments of a person in a course succeeds", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, drawing := w.addPerson("ada@example.test").ID, w.addCourse("Drawing").ID
		var kept tally
		for _, err := range atOnce(func(int) error {
			e := w.newEnrollment(ada, drawing, enrollment.Learner)
			var n int
			err := w.try(func(ctx context.Context, tx ports.Tx) (err error) {
				n, err = tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e})
				return err
			})
			kept.add(n)
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.n, 1)
		is.Equal(len(w.enrollmentsOf(ada)), 1)
		is.Equal(w.courseSummary(drawing).EnrollmentsCount, int64(1))
		is.Equal(w.personSummary(ada).CourseCount, int64(1))
	})

	t.Run("One of many concurrent categories gets a name", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		made := make([]category.State, goroutines)
		errs := atOnce(func(i int) error {
			made[i] = w.newCategory([]string{"Café", "CAFÉ", "cafe\u0301"}[i%3])
			return w.tryAddCategory(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(diffTaken(err, "name", category.Type, made[holder].ID), "")
			}
		}
		is.Equal(diff(w.all().Categories, []category.State{made[holder]}), "")
	})

	t.Run("One of many concurrent people gets an address", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		made := make([]person.State, goroutines)
		errs := atOnce(func(i int) error {
			made[i] = w.newPerson([]string{"ada@example.test", "Ada@Example.Test"}[i%2])
			return w.tryAddPerson(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(diffTaken(err, "email", person.Type, made[holder].ID), "")
			}
		}
		is.Equal(diff(w.all().People, []person.Summary{{State: made[holder]}}), "")
	})

	t.Run("One of many concurrent courses gets a permalink", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		made := make([]course.State, goroutines)
		errs := atOnce(func(i int) error {
			made[i] = w.newCourse("Drawing")
			return w.tryAddCourse(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(diffTaken(err, "permalink", course.Type, made[holder].ID), "")
			}
		}
		is.Equal(diff(w.all().Courses, []course.Summary{{State: made[holder]}}), "")
	})

	t.Run("One of many concurrent partnerships with the same role is added", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test").ID
		var kept tally
		for _, err := range atOnce(func(int) error {
			ok, err := w.tryPartner(w.newPartner(ada, person.Owner))
			if ok {
				kept.add(1)
			}
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.n, 1)
		is.Equal(len(w.partnershipsOf(ada)), 1)
	})

	t.Run("All concurrent enrollments in a course are counted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing := w.addCourse("Drawing").ID
		var people [goroutines]person.ID
		for i := range people {
			people[i] = w.addPerson(fmt.Sprintf("p%d@example.test", i)).ID
		}
		for _, err := range atOnce(func(i int) error {
			e := w.newEnrollment(people[i], drawing, enrollment.Learner)
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e}))
			})
		}) {
			is.NoErr(err)
		}
		is.Equal(w.courseSummary(drawing).EnrollmentsCount, int64(goroutines))
		for _, p := range people {
			is.Equal(w.personSummary(p).CourseCount, int64(1))
		}
	})

	t.Run("Counts are correct while people are enrolled and unenrolled concurrently", func(t *testing.T) {
		w := newWorld(t, b)
		room := newEnrollmentFixture(w.tenant)
		is := is.New(t)
		for _, err := range atOnce(func(i int) error { return room.enrollAndUnenroll(rand.New(rand.NewPCG(1, uint64(i)))) }) {
			is.NoErr(err)
		}
		room.checkCounts()
	})

	t.Run("No concurrent update of a person is lost", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test", func(p *person.State) { p.FirstName = "" })
		for _, err := range atOnce(func(int) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				p, err := tx.People.GetForUpdate(ctx, ada.ID)
				if err != nil {
					return err
				}
				s := p.State()
				s.FirstName += "x"
				return tx.People.Save(ctx, person.Restore(s))
			})
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.personSummary(ada.ID).FirstName), goroutines)
	})

	t.Run("A category is deleted while courses are added to it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design := w.addCategory("Design").ID
		errs := atOnce(func(i int) error {
			if i == goroutines/2 {
				return w.deleteCategory(design)
			}
			return w.tryAddCourse(w.newCourse(fmt.Sprintf("Course %d", i), inCategories(design)))
		})
		is.NoErr(errs[goroutines/2])
		kept := 0
		for i, err := range errs {
			if i != goroutines/2 && err == nil {
				kept++
			}
		}
		all := w.all()
		is.Equal(len(all.Categories), 0)
		is.Equal(len(all.Courses), kept) // later courses were rejected
		for _, c := range all.Courses {
			is.Equal(len(c.Categories), 0) // no course has the deleted category
		}
	})

	t.Run("A person is deleted while being enrolled", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test").ID
		var rooms [goroutines]course.ID
		for i := range rooms {
			rooms[i] = w.addCourse(fmt.Sprintf("Course %d", i)).ID
		}
		errs := atOnce(func(i int) error {
			if i == goroutines/2 {
				return w.deletePerson(ada)
			}
			e := w.newEnrollment(ada, rooms[i], enrollment.Learner)
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e}))
			})
		})
		is.NoErr(errs[goroutines/2])
		is.Equal(len(w.all().People), 0)
		is.Equal(len(w.enrollmentsOf(ada)), 0)
		for _, c := range rooms {
			is.Equal(w.courseSummary(c).EnrollmentsCount, int64(0))
		}
	})

	t.Run("Concurrent writes in two schools do not affect each other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		twin := newTenant(t, b, "Twin")
		for _, err := range atOnce(func(i int) error {
			s := []tenant{w.tenant, twin}[i%2]
			return s.tryAddCategory(s.newCategory(fmt.Sprintf("Category %02d", i/2)))
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.all().Categories), goroutines/2)
		is.Equal(len(twin.all().Categories), goroutines/2)
	})
}

// atOnce calls fn in many goroutines that start together, with i from 0 to goroutines-1. It returns
// the errors in the order of i.
func atOnce(fn func(i int) error) []error {
	var wg sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, goroutines)
	for i := range goroutines {
		wg.Go(func() {
			<-start
			errs[i] = fn(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// tally is a number to which goroutines add.
type tally struct {
	mu sync.Mutex
	n  int
}

// add adds n.
func (c *tally) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += n
}

// enrollAndUnenroll enrolls and unenrolls random people in random courses.
func (c enrollmentFixture) enrollAndUnenroll(rnd *rand.Rand) error {
	roles := []enrollment.Role{enrollment.Learner, enrollment.Learner, enrollment.Manager}
	for range 8 {
		role, from := pick(rnd, roles), sample(rnd, c.courses[:])
		p := pick(rnd, c.people[:])
		var es []enrollment.Enrollment
		for _, id := range sample(rnd, c.courses[:]) {
			es = append(es, c.newEnrollment(p, id, role))
		}
		rnd.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
		err := c.try(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Enrollments.RemoveFromCourses(ctx, p, role, from); err != nil {
				return err
			}
			return second(tx.Enrollments.AddIfAbsent(ctx, es))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkCounts compares every count with the stored enrollments.
func (c enrollmentFixture) checkCounts() {
	c.t.Helper()
	inCourse, ofPerson := map[course.ID]int64{}, map[person.ID]int64{}
	for _, p := range c.people {
		for _, e := range c.enrollmentsOf(p) {
			if e.Role == enrollment.Learner {
				inCourse[e.Course]++
				ofPerson[p]++
			}
		}
	}
	var courses, people [3]int64
	for i := range courses {
		courses[i], people[i] = inCourse[c.courses[i]], ofPerson[c.people[i]]
	}
	c.expect(courses, people)
}

// deleteCategory removes a category from its courses and deletes it, as a use case does.
func (s tenant) deleteCategory(id category.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Categories.GetForUpdate(ctx, id); err != nil {
			return err
		}
		if err := tx.Courses.DetachCategory(ctx, id); err != nil {
			return err
		}
		return tx.Categories.Delete(ctx, id)
	})
}

// deletePerson deletes a person and the records that refer to the person, as a use case does.
func (s tenant) deletePerson(id person.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.People.GetForUpdate(ctx, id); err != nil {
			return err
		}
		if _, err := tx.Submissions.DeleteByPerson(ctx, id, math.MaxInt32); err != nil {
			return err
		}
		for _, remove := range []func(context.Context, person.ID, int) (int, error){
			tx.Events.DeleteByPerson, tx.QuizAttempts.DeleteByPerson, tx.Attempts.DeleteByPerson, tx.Redemptions.DeleteByPerson,
		} {
			if _, err := remove(ctx, id, math.MaxInt32); err != nil {
				return err
			}
		}
		for _, remove := range []func(context.Context, person.ID) error{
			tx.Enrollments.DeleteByPerson, tx.Memberships.DeleteByPerson, tx.Invitations.DeleteByPerson, tx.SignIns.DeleteSessions, tx.People.Delete,
		} {
			if err := remove(ctx, id); err != nil {
				return err
			}
		}
		return nil
	})
}
