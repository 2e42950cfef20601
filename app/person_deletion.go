package app

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/enrollment"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/text"
	"lyceum/ports"
)

// deletePerson deletes the person id and their data, unless a check or a rule forbids it. If the
// person has very many records, they are deleted in several transactions, the person in the last
// one.
func deletePerson(ctx context.Context, d usecase.Deps, a Actor, id person.ID, checks ...func(person.Summary) error) error {
	return inBatches(ctx, d, a, func(ctx context.Context, tx ports.Tx) (bool, error) {
		key, waiting, err := lockWaitingRows(ctx, tx, id)
		if err != nil {
			return false, err
		}
		if effect, err := checkDeletion(ctx, d, tx, a, id, key, checks); !effect {
			return true, err
		}
		done, err := deleteLearning(ctx, d, tx, id)
		if err != nil || !done {
			return false, err
		}
		if err := eraseWaitingRows(ctx, tx, waiting, key, bulk.ErrPersonDeleted); err != nil {
			return false, err
		}
		return true, deletePersonData(ctx, tx, id, d.Clock.Now())
	})
}

// checkDeletion locks the person id and reports whether to delete the person. It returns ErrChanged
// if key is no longer the unique key of the person's email address.
func checkDeletion(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a Actor, id person.ID, key string, checks []func(person.Summary) error,
) (bool, error) {
	if _, err := tx.People.GetForUpdate(ctx, id); err != nil {
		return false, err
	}
	s, err := tx.People.Get(ctx, id)
	if err != nil {
		return false, err
	}
	if text.UniqueKey(s.Email) != key {
		return false, ports.ErrChanged
	}
	for _, check := range checks {
		if err := check(s); err != nil {
			return false, err
		}
	}
	by, err := d.Request(ctx, tx.School, a, d.Clock.Now())
	if err != nil {
		return false, err
	}
	effect, err := policy.Effect(admission.CheckDeletingPerson(d.Policies.Living, by, s))
	return effect, usecase.AtData(err)
}

// deleteLearning deletes the person's records of the kinds whose number is unbounded, children
// before parents, and reports whether none is left. It also erases the addresses in the person's
// audit events. Each call deletes at most one batch of each kind, and stops at the first kind that
// has records left. Counts, scores and progress are correct after each call. A job deletes submitted
// files after the commit.
func deleteLearning(ctx context.Context, d usecase.Deps, tx ports.Tx, id person.ID) (bool, error) {
	if err := lockLearning(ctx, tx, id); err != nil {
		return false, err
	}
	submissions := func(ctx context.Context, id person.ID, limit int) (int, error) {
		deleted, err := tx.Submissions.DeleteByPerson(ctx, id, limit)
		if err != nil || len(deleted) == 0 {
			return 0, err
		}
		return len(deleted), jobs.EnqueueFileCleanup(ctx, d, tx, deleted)
	}
	for _, records := range []struct {
		remove func(context.Context, person.ID, int) (int, error)
		limit  int
	}{
		{submissions, rowBatch},
		{tx.Events.DeleteByPerson, rowBatch},
		{tx.QuizAttempts.DeleteByPerson, quizAttemptBatch},
		{tx.Attempts.DeleteByPerson, attemptBatch},
		{tx.Redemptions.DeleteByPerson, rowBatch},
		{tx.Idempotency.EraseByPerson, rowBatch},
		{tx.Audit.EraseAddresses, addressBatch},
	} {
		if done, err := deleteBatch(ctx, records.remove, id, records.limit); err != nil || !done {
			return false, err
		}
	}
	return true, nil
}

// deletePersonData deletes the person and the remaining records of the person, whose number is
// small. The caller must have locked the person for update.
func deletePersonData(ctx context.Context, tx ports.Tx, id person.ID, now time.Time) error {
	for _, remove := range []func(context.Context, person.ID) error{
		tx.Enrollments.DeleteByPerson,
		tx.Memberships.DeleteByPerson,
		tx.Invitations.DeleteByPerson,
		tx.SignIns.DeleteSessions,
		tx.Tokens.DeleteByPerson,
	} {
		if err := remove(ctx, id); err != nil {
			return err
		}
	}
	p, err := tx.People.Get(ctx, id)
	if err != nil {
		return err
	}
	s, err := tx.School.Get(ctx)
	if err != nil {
		return err
	}
	if err := tx.SignIns.RevokeLinks(ctx, invitation.HashAddress(s.State().ID, p.Email), now); err != nil {
		return err
	}
	// The job's last error may contain the person's address.
	if err := tx.Jobs.Delete(ctx, invitation.Kind, id.String()); err != nil {
		return err
	}
	return tx.People.Delete(ctx, id)
}

// lockLearning locks the enrollments of a person, then the course attempts. A change of a course
// structure locks both before it locks quiz attempts. Without lockLearning, deleteLearning would
// lock quiz attempts first, and the two could deadlock.
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
