package app

import (
	"context"
	"slices"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/ports"
)

// AddCourses puts courses into a group and enrolls its members in them: all of
// it or, when a course is unknown or a rule refuses an enrollment, nothing.
// Courses that the group holds already are passed over, and so are their
// learners: who was taken out of one since stays out.
func (u *Groups) AddCourses(ctx context.Context, a Actor, id group.ID, ids []course.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.Find(ctx, id); err != nil {
			return err
		}
		courses, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, ids)
		if err != nil {
			return err
		}
		people, err := members(ctx, tx, id) // before courses are loaded, as everywhere
		if err != nil {
			return err
		}
		if err := courses.Load(ctx, tx, ids); err != nil {
			return err
		}
		if _, err := usecase.Complete(courses.ByID, nil, ids); err != nil {
			return err
		}
		held, err := tx.Groups.Courses(ctx, []group.ID{id})
		if err != nil {
			return err
		}
		e, err := admission.NewEnrolling(ctx, u.deps, tx, courses, people)
		if err != nil {
			return err
		}
		var places []admission.Place
		var rows []int // of ids
		known := held[id]
		for i, c := range ids {
			if slices.Contains(known, c) {
				continue
			}
			known = append(known, c)
			for p := range people {
				places = append(places, admission.Place{Person: p, Course: c, Role: enrollment.Learner})
				rows = append(rows, i)
			}
		}
		refused := e.Row(places)
		for i, err := range refused {
			refused[i] = fault.AtRow(err, rows[i])
		}
		if err := fault.Join(refused...); err != nil {
			return err
		}
		if _, err := tx.Groups.AddCourses(ctx, id, ids); err != nil {
			return err
		}
		return e.Save(ctx, tx)
	})
}

// members returns the members of a group.
func members(ctx context.Context, tx ports.Tx, id group.ID) (map[person.ID]person.Person, error) {
	ids, err := tx.Memberships.Members(ctx, id)
	if err != nil {
		return nil, err
	}
	return tx.People.Load(ctx, ids)
}

// RemoveCourses takes courses from a group: all of them or, when one is
// unknown, none. The members stay enrolled.
func (u *Groups) RemoveCourses(ctx context.Context, a Actor, id group.ID, ids []course.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Groups.Find(ctx, id); err != nil {
			return err
		}
		if _, err := usecase.LoadCourses(ctx, tx, ids); err != nil {
			return err
		}
		_, err := tx.Groups.RemoveCourses(ctx, id, ids)
		return err
	})
}
