package storetest

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
)

// courseLocks tests which operations block each other while courses are changed and deleted.
func courseLocks(t *testing.T, b Backend) {
	find := func(id course.ID) func(context.Context, ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error { return second(tx.Courses.GetForUpdate(ctx, id)) }
	}
	closing := func(id course.ID) func(context.Context, ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error { return tx.Courses.LockExclusive(ctx, id) }
	}

	t.Run("GetForUpdate of a course blocks another GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCourse("Drawing").ID
		is.NoErr(w.checkBlocks(find(c), func() error { return w.try(find(c)) }))
	})

	t.Run("GetForUpdate of a course returns the lists that another transaction has saved", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kept, left := w.addCategory("Arts").ID, w.addCategory("Design").ID
		p := w.addPartner(w.addPerson("ada@example.test").ID, person.Instructor).ID
		c := w.addCourse("Drawing", inCategories(kept, left), func(c *course.State) { c.Instructors = []person.PartnershipID{p} })
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
		is.NoErr(w.checkBlocks(leave, func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				found, err := tx.Courses.GetForUpdate(ctx, c.ID)
				got = found.State()
				return err
			})
		}))
		is.Equal(got.Categories, []category.ID{kept})
		is.Equal(len(got.Instructors), 0)
	})

	t.Run("GetForUpdate of a course blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCourse("Drawing").ID
		is.NoErr(w.checkBlocks(find(c), func() error { return second(w.deleteCourse(c)) }))
		is.Equal(len(w.all().Courses), 0)
	})

	t.Run("GetManyForShare of a course blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCourse("Drawing").ID
		load := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Courses.GetManyForShare(ctx, []course.ID{c}))
		}
		is.NoErr(w.checkBlocks(load, func() error { return second(w.deleteCourse(c)) }))
	})

	t.Run("GetManyForShare of a category blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design").ID
		load := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Categories.GetManyForShare(ctx, []category.ID{c}))
		}
		is.NoErr(w.checkBlocks(load, func() error { return w.deleteCategory(c) }))
	})

	t.Run("GetManyForShare of a partnership blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPartner(w.addPerson("ada@example.test").ID, person.Owner).ID
		load := func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Partnerships.GetManyForShare(ctx, []person.PartnershipID{p}))
		}
		is.NoErr(w.checkBlocks(load, func() error { return w.tryDeletePartnership(p) }))
	})

	t.Run("ExistsForShare of a partnership blocks its deletion", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPartner(w.addPerson("ada@example.test").ID, person.Owner).ID
		is.NoErr(w.checkBlocks(mustExist(p), func() error { return w.tryDeletePartnership(p) }))
	})

	for name, remove := range map[string]func(w world, p person.PartnershipID, c course.State) error{
		"from the course": func(w world, _ person.PartnershipID, c course.State) error {
			c.Instructors = nil
			return w.trySaveCourse(c)
		},
		"from all courses": func(w world, p person.PartnershipID, _ course.State) error {
			return w.try(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.DetachInstructor(ctx, p) })
		},
	} {
		t.Run("InstructsForShare blocks the removal of the instructor "+name, func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			p := w.addPartner(w.addPerson("ada@example.test").ID, person.Instructor).ID
			c := w.addCourse("Drawing", instructedBy(p))
			is.NoErr(w.checkBlocks(mustInstruct(p, c.ID), func() error { return remove(w, p, c) }))
			is.True(isNotFound(w.try(mustInstruct(p, c.ID))))
		})
	}

	t.Run("LockExclusive of a course blocks enrolling, learning and adding it to a group", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		g := w.addGroup("Painters").ID
		p := w.addPerson("grace@example.test").ID
		is.NoErr(w.checkBlocks(closing(l.course.ID), func() error {
			return w.trySave(w.newEnrollment(p, l.course.ID, enrollment.Learner))
		}))
		is.NoErr(w.checkBlocks(closing(l.course.ID), func() error {
			return w.try(func(ctx context.Context, tx ports.Tx) error { return w.study(ctx, tx, l.learner.ID, l.text) })
		}))
		is.NoErr(w.checkBlocks(closing(l.course.ID), func() error { return w.trySave(groupCourse{g, l.course.ID}) }))
	})

	t.Run("One of two concurrent removals of the last two owners fails", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		var parts [2]person.PartnershipID
		for i := range parts {
			parts[i] = w.addPartner(w.addPerson(fmt.Sprintf("p%d@example.test", i)).ID, person.Owner).ID
		}
		refused := 0
		for _, err := range atOnce(func(i int) error { return w.endPartnership(parts[i%2]) }) {
			if fault.Is(err, fault.Forbidden) {
				refused++
				continue
			}
			is.True(err == nil || isNotFound(err))
		}
		is.True(refused > 0)
		is.Equal(len(w.owners()), 1)
	})

	if b.Serial {
		return
	}
	t.Run("OwnersForUpdate does not block ExistsForShare", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPartner(w.addPerson("ada@example.test").ID, person.Owner).ID
		owners := func(ctx context.Context, tx ports.Tx) error { return second(tx.Partnerships.OwnersForUpdate(ctx)) }
		is.NoErr(w.concurrently(owners, func() error { return w.try(mustExist(p)) }))
	})

	t.Run("InstructsForShare does not block other changes of the course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := w.addPartner(w.addPerson("ada@example.test").ID, person.Instructor).ID
		c := w.addCourse("Drawing", instructedBy(p))
		c.Name = "Painting"
		is.NoErr(w.concurrently(mustInstruct(p, c.ID), func() error { return w.trySaveCourse(c) }))
	})

	t.Run("Updating a course does not block enrollments", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, p := w.addCourse("Drawing").ID, w.addPerson("ada@example.test").ID
		is.NoErr(w.concurrently(find(c), func() error { return w.trySave(w.newEnrollment(p, c, enrollment.Learner)) }))
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

// courseRaces tests that the deletion of a course is complete even if people learn in it
// concurrently.
func courseRaces(t *testing.T, b Backend) {
	t.Run("A course is deleted while people enroll, learn and add it to groups", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, stays := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		var people [goroutines]person.ID
		for i := range people {
			people[i] = l.addLearner(w.tenant, fmt.Sprintf("p%d@example.test", i)).Person
		}
		newcomer, g := w.addPerson("new@example.test").ID, w.addGroup("Painters").ID
		errs := atOnce(func(i int) error {
			if i == goroutines/2 {
				return second(w.deleteCourse(l.course.ID))
			}
			return w.try(func(ctx context.Context, tx ports.Tx) error {
				switch i % 5 {
				case 0:
					if _, err := tx.People.GetManyForShare(ctx, []person.ID{newcomer}); err != nil {
						return err
					}
					if found, err := tx.Courses.GetManyForShare(ctx, []course.ID{l.course.ID}); err != nil || len(found) == 0 {
						return err
					}
					return add(ctx, tx, w.newEnrollment(newcomer, l.course.ID, enrollment.Learner))
				case 1:
					if _, err := tx.Groups.GetForUpdate(ctx, g); err != nil {
						return err
					}
					if found, err := tx.Courses.GetManyForShare(ctx, []course.ID{l.course.ID}); err != nil || len(found) == 0 {
						return err
					}
					return add(ctx, tx, groupCourse{g, l.course.ID})
				}
				return w.study(ctx, tx, people[i], []activity.State{l.text, l.video, l.assignmentActivity}[i%3])
			})
		})
		for _, err := range errs {
			is.True(err == nil || isNotFound(err)) // the course was already deleted
		}
		is.NoErr(errs[goroutines/2])
		all := w.all()
		is.Equal(len(all.Courses), 1)
		is.Equal(all.Courses[0].ID, stays.course.ID)
		is.Equal(len(all.Enrollments)+len(all.CourseAnalytics)+len(all.Activities), 1+1+4)
		for _, p := range all.People {
			is.Equal(p.CourseCount == 1, p.ID == stays.learner.ID)
		}
		is.Equal(w.coursesHeld(), 0)
		is.Equal(len(w.mustReconcile()), 0)
		w.save(l.course)
		is.Equal(w.courseSummary(l.course.ID).EnrollmentsCount, int64(0)) // no enrollment is left
	})
}

// study locks the activity and completes it as a use case does.
func (s tenant) study(ctx context.Context, tx ports.Tx, p person.ID, a activity.State) error {
	found, err := tx.Activities.GetManyForShare(ctx, []activity.ID{a.ID})
	if err == nil && len(found) == 0 {
		err = fault.RecordNotFound()
	}
	if err != nil {
		return err
	}
	return s.completeActivity(ctx, tx, p, a)
}

// endPartnership deletes a partnership as a use case does. It returns Forbidden for the last owner.
func (s tenant) endPartnership(id person.PartnershipID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
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
