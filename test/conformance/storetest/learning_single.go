package storetest

import (
	"context"

	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// The functions in this file call the methods of ports for many records with a single record.

// lockEnrollment returns the enrollment of a person in a course with the given role and locks it
// and the person, or returns NotFound if there is none.
func lockEnrollment(
	ctx context.Context, tx ports.Tx, p person.ID, c course.ID, role enrollment.Role,
) (enrollment.Enrollment, error) {
	pair := enrollment.PersonCourse{Person: p, Course: c}
	found, err := tx.Enrollments.GetManyForUpdate(ctx, []enrollment.PersonCourse{pair}, role)
	return only(found, pair, err)
}

// latestAttempt returns the attempt of a person in a course with the highest number, or NotFound if
// there is none.
func latestAttempt(ctx context.Context, tx ports.Tx, p person.ID, c course.ID) (attempt.Attempt, error) {
	pair := enrollment.PersonCourse{Person: p, Course: c}
	found, err := tx.Attempts.LatestMany(ctx, []enrollment.PersonCourse{pair})
	return only(found, pair, err)
}

// addCompletion adds a completion if it is absent, and reports whether it was new.
func addCompletion(ctx context.Context, tx ports.Tx, c attempt.Completion) (bool, error) {
	added, err := tx.Attempts.AddCompletionsIfAbsent(ctx, []attempt.Completion{c})
	return len(added) == 1, err
}

// only returns the value of key, or NotFound if found does not contain it.
func only[K comparable, V any](found map[K]V, key K, err error) (V, error) {
	v, ok := found[key]
	if err == nil && !ok {
		err = fault.RecordNotFound()
	}
	return v, err
}
