package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// AddPeople gives people a place as role in a course: all of them or, when a
// person is unknown or a rule refuses one, none. Who has the place keeps it.
func (u *Enrollments) AddPeople(
	role enrollment.Role,
) func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
		now := u.deps.Clock.Now()
		return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
			people, in, err := attending(ctx, tx, id, ids)
			if err != nil {
				return err
			}
			rows := make([]enrollment.Enrollment, len(ids))
			refused := make([]error, len(ids))
			for i, p := range ids {
				row, err := enrollment.Enroll(enrollment.ID{UUID: u.deps.IDs.New()}, people[p], in, role, now)
				rows[i], refused[i] = row, fault.AtRow(err, i)
			}
			if err := fault.Join(refused...); err != nil {
				return err
			}
			_, err = tx.Enrollments.AddIfAbsent(ctx, rows)
			return err
		})
	}
}

// RemovePeople takes the places as role in a course from people: all of them or,
// when a person is unknown, none. What they have learned stays.
func (u *Enrollments) RemovePeople(
	role enrollment.Role,
) func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
		return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
			if _, _, err := attending(ctx, tx, id, ids); err != nil {
				return err
			}
			_, err := tx.Enrollments.RemoveFrom(ctx, id, role, ids)
			return err
		})
	}
}

// attending returns the people ids and the course. The people are locked first,
// as by who enrolls; that the course does not exist is told first all the same.
func attending(
	ctx context.Context, tx ports.Tx, id course.ID, ids []person.ID,
) (map[person.ID]person.Person, course.Course, error) {
	found, err := tx.People.Load(ctx, ids)
	if err != nil {
		return nil, course.Course{}, err
	}
	courses, err := tx.Courses.Load(ctx, []course.ID{id})
	if err != nil {
		return nil, course.Course{}, err
	}
	in, ok := courses[id]
	if !ok {
		return nil, course.Course{}, fault.Missing()
	}
	people, err := usecase.Complete(found, nil, ids)
	return people, in, err
}
