package counts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// Races tests that the ports keep their promises under concurrent writes.
func Races(t *testing.T, b fixture.Backend) {
	t.Run("One of many concurrent enrollments of a person in a course succeeds", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, drawing := w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID
		var kept fixture.Counter
		for _, err := range fixture.AtOnce(func(int) error {
			e := w.NewEnrollment(ada, drawing, enrollment.Learner)
			var n int
			err := w.Try(func(ctx context.Context, tx ports.Tx) (err error) {
				n, err = tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e})
				return err
			})
			kept.Add(n)
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.Count, 1)
		is.Equal(len(w.EnrollmentsOf(ada)), 1)
		is.Equal(w.CourseSummary(drawing).EnrollmentsCount, int64(1))
		is.Equal(w.PersonSummary(ada).CourseCount, int64(1))
	})

	t.Run("One of many concurrent categories gets a name", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		made := make([]category.State, fixture.Goroutines)
		errs := fixture.AtOnce(func(i int) error {
			made[i] = w.NewCategory([]string{"Café", "CAFÉ", "cafe\u0301"}[i%3])
			return w.TryAddCategory(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(fixture.DiffTaken(err, "name", category.Type, made[holder].ID), "")
			}
		}
		is.Equal(fixture.Diff(w.All().Categories, []category.State{made[holder]}), "")
	})

	t.Run("One of many concurrent people gets an address", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		made := make([]person.State, fixture.Goroutines)
		errs := fixture.AtOnce(func(i int) error {
			made[i] = w.NewPerson([]string{"ada@example.test", "Ada@Example.Test"}[i%2])
			return w.TryAddPerson(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(fixture.DiffTaken(err, "email", person.Type, made[holder].ID), "")
			}
		}
		is.Equal(fixture.Diff(w.All().People, []person.Summary{{State: made[holder]}}), "")
	})

	t.Run("One of many concurrent courses gets a permalink", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		made := make([]course.State, fixture.Goroutines)
		errs := fixture.AtOnce(func(i int) error {
			made[i] = w.NewCourse("Drawing")
			return w.TryAddCourse(made[i])
		})
		holder := slices.Index(errs, nil)
		is.True(holder >= 0)
		for i, err := range errs {
			if i != holder {
				is.Equal(fixture.DiffTaken(err, "permalink", course.Type, made[holder].ID), "")
			}
		}
		is.Equal(fixture.Diff(w.All().Courses, []course.Summary{{State: made[holder]}}), "")
	})

	t.Run("One of many concurrent partnerships with the same role is added", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test").ID
		var kept fixture.Counter
		for _, err := range fixture.AtOnce(func(int) error {
			ok, err := w.TryPartner(w.NewPartner(ada, person.Owner))
			if ok {
				kept.Add(1)
			}
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.Count, 1)
		is.Equal(len(w.PartnershipsOf(ada)), 1)
	})

	t.Run("All concurrent enrollments in a course are counted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing").ID
		var people [fixture.Goroutines]person.ID
		for i := range people {
			people[i] = w.AddPerson(fmt.Sprintf("p%d@example.test", i)).ID
		}
		for _, err := range fixture.AtOnce(func(i int) error {
			e := w.NewEnrollment(people[i], drawing, enrollment.Learner)
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e}))
			})
		}) {
			is.NoErr(err)
		}
		is.Equal(w.CourseSummary(drawing).EnrollmentsCount, int64(fixture.Goroutines))
		for _, p := range people {
			is.Equal(w.PersonSummary(p).CourseCount, int64(1))
		}
	})

	t.Run("Counts are correct while people are enrolled and unenrolled concurrently", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		room := newEnrollmentFixture(w.Tenant)
		is := is.New(t)
		for _, err := range fixture.AtOnce(func(i int) error { return room.enrollAndUnenroll(rand.New(rand.NewPCG(1, uint64(i)))) }) {
			is.NoErr(err)
		}
		room.checkCounts()
	})

	t.Run("No concurrent update of a person is lost", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test", func(p *person.State) { p.FirstName = "" })
		for _, err := range fixture.AtOnce(func(int) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
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
		is.Equal(len(w.PersonSummary(ada.ID).FirstName), fixture.Goroutines)
	})

	t.Run("A category is deleted while courses are added to it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design := w.AddCategory("Design").ID
		errs := fixture.AtOnce(func(i int) error {
			if i == fixture.Goroutines/2 {
				return w.DeleteCategory(design)
			}
			return w.TryAddCourse(w.NewCourse(fmt.Sprintf("Course %d", i), fixture.InCategories(design)))
		})
		is.NoErr(errs[fixture.Goroutines/2])
		kept := 0
		for i, err := range errs {
			if i != fixture.Goroutines/2 && err == nil {
				kept++
			}
		}
		all := w.All()
		is.Equal(len(all.Categories), 0)
		is.Equal(len(all.Courses), kept) // later courses were rejected
		for _, c := range all.Courses {
			is.Equal(len(c.Categories), 0) // no course has the deleted category
		}
	})

	t.Run("A person is deleted while being enrolled", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test").ID
		var rooms [fixture.Goroutines]course.ID
		for i := range rooms {
			rooms[i] = w.AddCourse(fmt.Sprintf("Course %d", i)).ID
		}
		errs := fixture.AtOnce(func(i int) error {
			if i == fixture.Goroutines/2 {
				return w.DeletePerson(ada)
			}
			e := w.NewEnrollment(ada, rooms[i], enrollment.Learner)
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e}))
			})
		})
		is.NoErr(errs[fixture.Goroutines/2])
		is.Equal(len(w.All().People), 0)
		is.Equal(len(w.EnrollmentsOf(ada)), 0)
		for _, c := range rooms {
			is.Equal(w.CourseSummary(c).EnrollmentsCount, int64(0))
		}
	})

	t.Run("Concurrent writes in two schools do not affect each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		twin := fixture.NewTenant(t, b, "Twin")
		for _, err := range fixture.AtOnce(func(i int) error {
			s := []fixture.Tenant{w.Tenant, twin}[i%2]
			return s.TryAddCategory(s.NewCategory(fmt.Sprintf("Category %02d", i/2)))
		}) {
			is.NoErr(err)
		}
		is.Equal(len(w.All().Categories), fixture.Goroutines/2)
		is.Equal(len(twin.All().Categories), fixture.Goroutines/2)
	})
}

// enrollAndUnenroll enrolls and unenrolls random people in random courses.
func (c enrollmentFixture) enrollAndUnenroll(rnd *rand.Rand) error {
	roles := []enrollment.Role{enrollment.Learner, enrollment.Learner, enrollment.Manager}
	for range 8 {
		role, from := fixture.Pick(rnd, roles), lists.Sample(rnd, c.courses[:])
		p := fixture.Pick(rnd, c.people[:])
		var es []enrollment.Enrollment
		for _, id := range lists.Sample(rnd, c.courses[:]) {
			es = append(es, c.NewEnrollment(p, id, role))
		}
		rnd.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
		err := c.Try(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Enrollments.RemoveFromCourses(ctx, p, role, from); err != nil {
				return err
			}
			return fixture.Second(tx.Enrollments.AddIfAbsent(ctx, es))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkCounts compares every count with the stored enrollments.
func (c enrollmentFixture) checkCounts() {
	c.T.Helper()
	inCourse, ofPerson := map[course.ID]int64{}, map[person.ID]int64{}
	for _, p := range c.people {
		for _, e := range c.EnrollmentsOf(p) {
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
