package courses

import (
	"context"
	"fmt"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// CourseLocks tests which operations block each other while courses are changed and deleted.
func CourseLocks(t *testing.T, b fixture.Backend) {
	find := func(id course.ID) func(context.Context, ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error { return fixture.Second(tx.Courses.GetForUpdate(ctx, id)) }
	}
	closing := func(id course.ID) func(context.Context, ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error { return tx.Courses.LockExclusive(ctx, id) }
	}

	t.Run("GetForUpdate of a course blocks another GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCourse("Drawing").ID
		is.NoErr(w.CheckBlocks(find(c), func() error { return w.Try(find(c)) }))
	})

	t.Run("GetForUpdate of a course returns the lists that another transaction has saved", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kept, left := w.AddCategory("Arts").ID, w.AddCategory("Design").ID
		p := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Instructor).ID
		c := w.AddCourse("Drawing", fixture.InCategories(kept, left), func(c *course.State) { c.Instructors = []person.PartnershipID{p} })
		leave := func(ctx context.Context, tx ports.Tx) error {
			found, err := tx.Courses.GetForUpdate(ctx, c.ID)
			if err != nil {
				return err
			}
			changed := found.State()
			changed.Categories, changed.Instructors = []category.ID{kept}, nil
			return tx.Courses.Save(ctx, course.Restore(changed))
		}
		var got course.State
		is.NoErr(w.CheckBlocks(leave, func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				found, err := tx.Courses.GetForUpdate(ctx, c.ID)
				got = found.State()
				return err
			})
		}))
		is.Equal(got.Categories, []category.ID{kept})
		is.Equal(len(got.Instructors), 0)
	})

	t.Run("GetForUpdate of a course blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCourse("Drawing").ID
		is.NoErr(w.CheckBlocks(find(c), func() error { return fixture.Second(w.DeleteCourse(c)) }))
		is.Equal(len(w.All().Courses), 0)
	})

	t.Run("GetManyForShare of a course blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCourse("Drawing").ID
		load := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Courses.GetManyForShare(ctx, []course.ID{c}))
		}
		is.NoErr(w.CheckBlocks(load, func() error { return fixture.Second(w.DeleteCourse(c)) }))
	})

	t.Run("GetManyForShare of a category blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design").ID
		load := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Categories.GetManyForShare(ctx, []category.ID{c}))
		}
		is.NoErr(w.CheckBlocks(load, func() error { return w.DeleteCategory(c) }))
	})

	t.Run("GetManyForShare of a partnership blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Owner).ID
		load := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Partnerships.GetManyForShare(ctx, []person.PartnershipID{p}))
		}
		is.NoErr(w.CheckBlocks(load, func() error { return w.TryDeletePartnership(p) }))
	})

	t.Run("ExistsForShare of a partnership blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Owner).ID
		is.NoErr(w.CheckBlocks(mustExist(p), func() error { return w.TryDeletePartnership(p) }))
	})

	for name, remove := range map[string]func(w fixture.World, p person.PartnershipID, c course.State) error{
		"from the course": func(w fixture.World, _ person.PartnershipID, c course.State) error {
			c.Instructors = nil
			return trySaveCourse(w.Tenant, c)
		},
		"from all courses": func(w fixture.World, p person.PartnershipID, _ course.State) error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.DetachInstructor(ctx, p) })
		},
	} {
		t.Run("InstructsForShare blocks the removal of the instructor "+name, func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			p := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Instructor).ID
			c := w.AddCourse("Drawing", fixture.InstructedBy(p))
			is.NoErr(w.CheckBlocks(mustInstruct(p, c.ID), func() error { return remove(w, p, c) }))
			is.True(fixture.IsNotFound(w.Try(mustInstruct(p, c.ID))))
		})
	}

	t.Run("LockExclusive of a course blocks enrolling, learning and adding it to a group", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		g := w.AddGroup("Painters").ID
		p := w.AddPerson("grace@example.test").ID
		is.NoErr(w.CheckBlocks(closing(l.Course.ID), func() error {
			return w.TrySave(w.NewEnrollment(p, l.Course.ID, enrollment.Learner))
		}))
		is.NoErr(w.CheckBlocks(closing(l.Course.ID), func() error {
			return w.Try(func(ctx context.Context, tx ports.Tx) error { return study(ctx, tx, w.Tenant, l.Learner.ID, l.Text) })
		}))
		is.NoErr(w.CheckBlocks(closing(l.Course.ID), func() error { return w.TrySave(fixture.GroupCourse{Group: g, Course: l.Course.ID}) }))
	})

	t.Run("One of two concurrent removals of the last two owners fails", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		var parts [2]person.PartnershipID
		for i := range parts {
			parts[i] = w.AddPartner(w.AddPerson(fmt.Sprintf("p%d@example.test", i)).ID, person.Owner).ID
		}
		refused := 0
		for _, err := range fixture.AtOnce(func(i int) error { return endPartnership(w.Tenant, parts[i%2]) }) {
			if fault.Is(err, fault.Forbidden) {
				refused++
				continue
			}
			is.True(err == nil || fixture.IsNotFound(err))
		}
		is.True(refused > 0)
		is.Equal(len(w.Owners()), 1)
	})

	if b.Serial {
		return
	}
	t.Run("OwnersForUpdate does not block ExistsForShare", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Owner).ID
		owners := func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Partnerships.OwnersForUpdate(ctx))
		}
		is.NoErr(w.Concurrently(owners, func() error { return w.Try(mustExist(p)) }))
	})

	t.Run("InstructsForShare does not block other changes of the course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Instructor).ID
		c := w.AddCourse("Drawing", fixture.InstructedBy(p))
		c.Name = "Painting"
		is.NoErr(w.Concurrently(mustInstruct(p, c.ID), func() error { return trySaveCourse(w.Tenant, c) }))
	})

	t.Run("Updating a course does not block enrollments", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, p := w.AddCourse("Drawing").ID, w.AddPerson("ada@example.test").ID
		is.NoErr(w.Concurrently(find(c), func() error { return w.TrySave(w.NewEnrollment(p, c, enrollment.Learner)) }))
	})
}

// mustExist returns NotFound unless the partnership p exists, and locks it for share.
func mustExist(p person.PartnershipID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		exists, err := tx.Partnerships.ExistsForShare(ctx, p)
		if err == nil && !exists {
			err = fault.RecordNotFound()
		}
		return err
	}
}

// mustInstruct returns NotFound unless the partnership p instructs the course c, and locks that it
// does.
func mustInstruct(p person.PartnershipID, c course.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		instructs, err := tx.Partnerships.InstructsForShare(ctx, p, c)
		if err == nil && !instructs {
			err = fault.RecordNotFound()
		}
		return err
	}
}

// CourseRaces tests that the deletion of a course is complete even if people learn in it
// concurrently.
func CourseRaces(t *testing.T, b fixture.Backend) {
	t.Run("A course is deleted while people enroll, learn and add it to groups", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, stays := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		var people [fixture.Goroutines]person.ID
		for i := range people {
			people[i] = l.AddLearner(w.Tenant, fmt.Sprintf("p%d@example.test", i)).Person
		}
		newcomer, g := w.AddPerson("new@example.test").ID, w.AddGroup("Painters").ID
		errs := fixture.AtOnce(func(i int) error {
			if i == fixture.Goroutines/2 {
				return fixture.Second(w.DeleteCourse(l.Course.ID))
			}
			return w.Try(func(ctx context.Context, tx ports.Tx) error {
				switch i % 5 {
				case 0:
					if _, err := tx.People.GetManyForShare(ctx, []person.ID{newcomer}); err != nil {
						return err
					}
					if found, err := tx.Courses.GetManyForShare(ctx, []course.ID{l.Course.ID}); err != nil || len(found) == 0 {
						return err
					}
					return fixture.Add(ctx, tx, w.NewEnrollment(newcomer, l.Course.ID, enrollment.Learner))
				case 1:
					if _, err := tx.Groups.GetForUpdate(ctx, g); err != nil {
						return err
					}
					if found, err := tx.Courses.GetManyForShare(ctx, []course.ID{l.Course.ID}); err != nil || len(found) == 0 {
						return err
					}
					return fixture.Add(ctx, tx, fixture.GroupCourse{Group: g, Course: l.Course.ID})
				}
				return study(ctx, tx, w.Tenant, people[i], []activity.State{l.Text, l.Video, l.AssignmentActivity}[i%3])
			})
		})
		for _, err := range errs {
			is.True(err == nil || fixture.IsNotFound(err)) // the course was already deleted
		}
		is.NoErr(errs[fixture.Goroutines/2])
		all := w.All()
		is.Equal(len(all.Courses), 1)
		is.Equal(all.Courses[0].ID, stays.Course.ID)
		is.Equal(len(all.Enrollments)+len(all.CourseAnalytics)+len(all.Activities), 1+1+4)
		for _, p := range all.People {
			is.Equal(p.CourseCount == 1, p.ID == stays.Learner.ID)
		}
		is.Equal(coursesHeld(w.Tenant), 0)
		is.Equal(len(w.MustReconcile()), 0)
		w.Save(l.Course)
		is.Equal(w.CourseSummary(l.Course.ID).EnrollmentsCount, int64(0)) // no enrollment is left
	})
}

// study locks the activity and completes it as a use case does.
func study(ctx context.Context, tx ports.Tx, s fixture.Tenant, p person.ID, a activity.State) error {
	found, err := tx.Activities.GetManyForShare(ctx, []activity.ID{a.ID})
	if err == nil && len(found) == 0 {
		err = fault.RecordNotFound()
	}
	if err != nil {
		return err
	}
	return s.CompleteActivity(ctx, tx, p, a)
}

// endPartnership deletes a partnership as a use case does. It returns Forbidden for the last owner.
func endPartnership(s fixture.Tenant, id person.PartnershipID) error {
	return s.Try(func(ctx context.Context, tx ports.Tx) error {
		owners, err := tx.Partnerships.OwnersForUpdate(ctx)
		if err != nil {
			return err
		}
		p, err := tx.Partnerships.Get(ctx, id)
		if err != nil {
			return err
		}
		if err := p.CheckRemoval(len(owners)); err != nil {
			return err
		}
		return tx.Partnerships.Delete(ctx, id)
	})
}
