package app_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// counts returns the number of courses of the person, and of learners of the course.
func (w *world) counts(t *testing.T, email, permalink string) (int64, int64) {
	t.Helper()
	is := is.New(t)
	p, err := w.People.Get(w.ctx, w.actor, w.people[email])
	is.NoErr(err)
	c, err := w.Courses.Get(w.ctx, w.actor, permalink)
	is.NoErr(err)
	return p.CourseCount, c.EnrollmentsCount
}

func TestEnrollAddsMissingRolesOnly(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	ada := w.people["ada@example.test"]
	greek := app.CourseRole{Course: w.courses["greek"], Role: enrollment.Learner}
	latin := app.CourseRole{Course: w.courses["latin"], Role: enrollment.Learner}

	is.NoErr(w.Enrollments.Enroll(w.ctx, w.actor, ada, []app.CourseRole{latin, latin})) // counted once
	mine, theirs := w.counts(t, "ada@example.test", "latin")
	is.Equal(mine, int64(2)) // including greek
	is.Equal(theirs, int64(1))

	is.NoErr(w.Enrollments.Unenroll(w.ctx, w.actor, ada, []app.CourseRole{greek}))
	// Unenroll ignores roles that the person does not have.
	is.NoErr(w.Enrollments.Unenroll(w.ctx, w.actor, ada, []app.CourseRole{greek}))
	mine, theirs = w.counts(t, "ada@example.test", "greek")
	is.Equal(mine, int64(1))
	is.Equal(theirs, int64(0))
}

func TestCourseManagerIsNotLearner(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	ada := w.people["ada@example.test"]
	manage := app.CourseRole{Course: w.courses["greek"], Role: enrollment.Manager}
	is.NoErr(w.Enrollments.Enroll(w.ctx, w.actor, ada, []app.CourseRole{manage}))
	is.NoErr(w.Enrollments.Unenroll(w.ctx, w.actor, ada, []app.CourseRole{manage}))
	mine, theirs := w.counts(t, "ada@example.test", "greek")
	is.Equal(mine, int64(1)) // still a learner
	is.Equal(theirs, int64(1))
}

func TestEnrollIsAllOrNothing(t *testing.T) {
	w := newWorld(t, school.Preregistration)
	latin, stranger := w.courses["latin"], course.ID{UUID: uuid.New()}
	for name, do := range map[string]func([]app.CourseRole) error{
		"enroll": func(ps []app.CourseRole) error {
			return w.Enrollments.Enroll(w.ctx, w.actor, w.people["bob@example.test"], ps)
		},
		"unenroll": func(ps []app.CourseRole) error {
			return w.Enrollments.Unenroll(w.ctx, w.actor, w.people["ada@example.test"], ps)
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			roles := []app.CourseRole{
				{Course: latin, Role: enrollment.Learner},
				{Course: w.courses["greek"], Role: enrollment.Learner},
				{Course: stranger, Role: enrollment.Learner},
			}
			f := firstFault(t, do(roles))
			is.Equal(f.Kind, fault.NotFound)
			is.Equal(f.Row, 3) // the third ID
			is.Equal(f.Field, "id")
			mine, _ := w.counts(t, "bob@example.test", "latin")
			is.Equal(mine, int64(0))
			mine, _ = w.counts(t, "ada@example.test", "latin")
			is.Equal(mine, int64(1))
		})
	}
}

func TestMissingPersonIsNotEnrolled(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	unknown := person.ID{UUID: uuid.New()}
	is.True(fault.Is(w.Enrollments.Enroll(w.ctx, w.actor, unknown, nil), fault.NotFound))
	is.True(fault.Is(w.Enrollments.Unenroll(w.ctx, w.actor, unknown, nil), fault.NotFound))
}
