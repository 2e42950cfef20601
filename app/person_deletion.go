package app

import (
	"context"

	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/ports"
)

// deletePersonData deletes a person and everything that belongs to them, children before parents.
// The caller holds the person's lock (GetForUpdate). A job deletes submitted files after the
// commit.
func deletePersonData(ctx context.Context, d usecase.Deps, tx ports.Tx, id person.ID) error {
	if err := lockLearning(ctx, tx, id); err != nil {
		return err
	}
	submitted, err := tx.Submissions.DeleteByPerson(ctx, id)
	if err != nil {
		return err
	}
	for _, forget := range []func(context.Context, person.ID) error{
		tx.Events.DeleteByPerson,
		tx.QuizAttempts.DeleteByPerson,
		tx.Attempts.DeleteByPerson,
		tx.Enrollments.DeleteByPerson,
		tx.Memberships.DeleteByPerson,
		tx.Redemptions.DeleteByPerson,
		tx.Invitations.DeleteByPerson,
		tx.Idempotency.EraseByPerson,
	} {
		if err := forget(ctx, id); err != nil {
			return err
		}
	}
	// The job's last error may contain the person's address.
	if err := tx.Jobs.Delete(ctx, invitation.Kind, id.String()); err != nil {
		return err
	}
	if err := tx.People.Delete(ctx, id); err != nil {
		return err
	}
	return jobs.EnqueueFileCleanup(ctx, d, tx, submitted)
}

// lockLearning locks the enrollments of a person, then the course attempts, because a change of a
// course structure locks both before quiz attempts, the first records that are deleted here.
func lockLearning(ctx context.Context, tx ports.Tx, id person.ID) error {
	roles, err := tx.Enrollments.ByPerson(ctx, id)
	if err != nil {
		return err
	}
	pairs := make([]enrollment.PersonCourse, len(roles))
	for i, e := range roles {
		pairs[i] = enrollment.PersonCourse{Person: id, Course: e.Course}
	}
	if err := tx.Enrollments.LockManyForUpdate(ctx, pairs, enrollment.Learner); err != nil {
		return err
	}
	return tx.Attempts.LockByPerson(ctx, id)
}
