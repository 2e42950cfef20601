package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// erase forgets a person, whom the caller has found, and all that is theirs, in
// the order in which one refers to another. Files go once the transaction has
// ended.
func erase(ctx context.Context, d usecase.Deps, tx ports.Tx, id person.ID) error {
	if err := lockLearning(ctx, tx, id); err != nil {
		return err
	}
	submitted, err := tx.Submissions.RemoveOfPerson(ctx, id)
	if err != nil {
		return err
	}
	for _, forget := range []func(context.Context, person.ID) error{
		tx.Events.RemoveOfPerson,
		tx.QuizAttempts.RemoveOfPerson,
		tx.Attempts.RemoveOfPerson,
		tx.Enrollments.RemoveOfPerson,
		tx.Memberships.RemoveOfPerson,
		tx.Redemptions.RemoveOfPerson,
		tx.Invitations.RemoveOfPerson,
		tx.Replays.EraseOfPerson,
	} {
		if err := forget(ctx, id); err != nil {
			return err
		}
	}
	// What a mail server has said about the address is in the job.
	if err := tx.Jobs.Remove(ctx, invitation.Kind, id.String()); err != nil {
		return err
	}
	if err := tx.People.Remove(ctx, id); err != nil {
		return err
	}
	return discard(ctx, d, tx, submitted)
}

// lockLearning locks the enrollments of a person, then the course attempts: a change of
// a structure locks both before the quiz attempts, which are removed first.
func lockLearning(ctx context.Context, tx ports.Tx, id person.ID) error {
	places, err := tx.Enrollments.OfPerson(ctx, id)
	if err != nil {
		return err
	}
	pairs := make([]enrollment.Pair, len(places))
	for i, e := range places {
		pairs[i] = enrollment.Pair{Person: id, Course: e.Course}
	}
	if err := tx.Enrollments.LockMany(ctx, pairs, enrollment.Learner); err != nil {
		return err
	}
	return tx.Attempts.LockOfPerson(ctx, id)
}

// discard lets the files of submissions that were removed be removed too.
func discard(ctx context.Context, d usecase.Deps, tx ports.Tx, submitted []submission.ID) error {
	s, err := tx.School.Get(ctx)
	if err != nil {
		return err
	}
	now := d.Clock.Now()
	discards := make([]job.Job, len(submitted))
	for i, file := range submitted {
		discards[i] = job.New(job.ID{UUID: d.IDs.New()}, s.State().ID, DiscardKind, usecase.FileOf(file), now)
	}
	return tx.Jobs.Add(ctx, discards...)
}
