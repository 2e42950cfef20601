package admission

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Invite adds an invitation for p and the job that sends it. It does nothing if the authentication
// method of the school s needs no invitations.
func Invite(ctx context.Context, d usecase.Deps, tx ports.Tx, s school.School, p person.Person, now time.Time) error {
	return InviteAll(ctx, d, tx, s, []person.ID{p.State().ID}, now)
}

// InviteAll is like Invite, but for several people.
func InviteAll(ctx context.Context, d usecase.Deps, tx ports.Tx, s school.School, people []person.ID, now time.Time) error {
	if !invitation.Required(s.State().Auth) || len(people) == 0 {
		return nil
	}
	jobs, asked := make([]job.Job, len(people)), make([]invitation.Invitation, len(people))
	for i, id := range people {
		asked[i], jobs[i] = NewInvitation(d, s.State().ID, id, now)
	}
	if err := tx.Invitations.Upsert(ctx, asked); err != nil {
		return err
	}
	return tx.Jobs.Add(ctx, jobs...)
}

// NewInvitation returns an invitation for a person and the job that sends it.
func NewInvitation(d usecase.Deps, s school.ID, to person.ID, now time.Time) (invitation.Invitation, job.Job) {
	delivery := job.New(job.ID{UUID: d.IDs.New()}, s, invitation.Kind, to.String(), now)
	return invitation.Invitation{Person: to, MessageID: delivery.ID, RequestedAt: now}, delivery
}
