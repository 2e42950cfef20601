package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// deletePerson deletes the person with all data, unless a check or a rule refuses it.
func deletePerson(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor, id person.ID, checks ...func(person.Summary) error,
) error {
	if _, err := tx.People.GetForUpdate(ctx, id); err != nil {
		return err
	}
	s, err := tx.People.Get(ctx, id)
	if err != nil {
		return err
	}
	for _, check := range checks {
		if err := check(s); err != nil {
			return err
		}
	}
	by, err := d.Request(ctx, tx.School, a, d.Clock.Now())
	if err != nil {
		return err
	}
	if effect, err := policy.Effect(admission.CheckDeletingPerson(d.Policies.Living, by, s)); !effect {
		return usecase.AtData(err)
	}
	return deletePersonData(ctx, d, tx, id)
}

// deletePersonData deletes a person and everything that belongs to them, children before parents.
// The caller must hold the lock of GetForUpdate on the person. A job deletes submitted files after
// the commit.
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

// lockLearning locks the enrollments of a person and then the course attempts. A change of a course
// structure locks both before quiz attempts, which are the first records that are deleted here.
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
