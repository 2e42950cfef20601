package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// AddPeople gives people a place as role in a course: all of them or, when a
// person is unknown or a rule refuses one, none. Places that are there already stay.
func (u *Enrollments) AddPeople(
	role enrollment.Role,
) func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
		return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
			courses, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, []course.ID{id})
			if err != nil {
				return err
			}
			people, err := attending(ctx, tx, courses, id, ids)
			if err != nil {
				return err
			}
			return enroll(ctx, u.deps, tx, courses, people, placesOf(id, role, ids))
		})
	}
}

// RemovePeople takes the places as role in a course from people: all of them or,
// when a person is unknown or a rule refuses one, none. What they have learned stays.
func (u *Enrollments) RemovePeople(
	role enrollment.Role,
) func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
	return func(ctx context.Context, a Actor, id course.ID, ids []person.ID) error {
		return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
			courses := &admission.Courses{ByID: map[course.ID]course.Course{}}
			people, err := attending(ctx, tx, courses, id, ids)
			if err != nil {
				return err
			}
			return admission.Unenroll(ctx, u.deps.Policies.Living, tx, people, courses.ByID, placesOf(id, role, ids))
		})
	}
}

// attending returns the people ids and loads the course id. The people are locked
// first, as by every operation that enrolls; a missing course is reported before a
// missing person.
func attending(
	ctx context.Context, tx ports.Tx, courses *admission.Courses, id course.ID, ids []person.ID,
) (map[person.ID]person.Person, error) {
	found, err := tx.People.Load(ctx, ids)
	if err != nil {
		return nil, err
	}
	if err := courses.Load(ctx, tx, []course.ID{id}); err != nil {
		return nil, err
	}
	if _, ok := courses.ByID[id]; !ok {
		return nil, fault.Missing()
	}
	return usecase.Complete(found, nil, ids)
}

// placesOf returns the places of people in a course.
func placesOf(id course.ID, role enrollment.Role, people []person.ID) []admission.Place {
	places := make([]admission.Place, len(people))
	for i, p := range people {
		places[i] = admission.Place{Person: p, Course: id, Role: role}
	}
	return places
}
