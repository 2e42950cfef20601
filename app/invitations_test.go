package app_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// lastToken runs the due deliveries and returns the token of the newest message.
func (w *world) lastToken(t *testing.T) string {
	t.Helper()
	w.deliver(t)
	emails := w.emails.Messages()
	return emails[len(emails)-1].Token
}

// accept accepts the invitation with the token, without names.
func (w *world) accept(token string) (person.Summary, error) {
	p, _, err := w.Invitations.Accept(w.ctx, app.Actor{}, token, person.Changes{})
	return p, err
}

// byToken returns the invitation of the link with the token.
func (w *world) byToken(token string) (app.InvitationView, error) {
	l, err := w.Invitations.Link(w.ctx, token)
	if err != nil {
		return app.InvitationView{}, err
	}
	return w.Invitations.ByLink(w.ctx, l)
}

func TestInvitationIsAcceptedOnce(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	token := w.lastToken(t)
	for range 2 {
		shown, err := w.byToken(token)
		is.NoErr(err)
		is.Equal(shown.School.Name, "Acme")
		is.Equal(shown.Person.ID, id)
		is.Equal(shown.Person.Status(), person.NotActivated)
	}
	w.clock.Advance(time.Hour)
	first := " Nea "
	p, actor, err := w.Invitations.Accept(w.ctx, app.Actor{}, token, person.Changes{FirstName: &first})
	is.NoErr(err)
	is.Equal(p.ID, id)
	is.Equal(p.FirstName, "Nea")
	is.Equal(*p.ActivatedAt, start.Add(time.Hour))
	is.Equal(actor.School(), w.actor.School())
	_, err = w.accept(token)
	is.True(fault.Is(err, fault.Gone))
	_, err = w.byToken(token)
	is.True(fault.Is(err, fault.Gone))
	w.deliver(t)
	is.Equal(len(w.emails.Messages()), 1)
}

func TestNewAddressExpiresInvitationLinks(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	token := w.lastToken(t)
	for _, harmless := range []person.Changes{{FirstName: new("Nea")}, {Email: new("")}} {
		before, err := w.People.Get(w.ctx, w.actor, id)
		is.NoErr(err)
		if harmless.Email != nil {
			harmless.Email = new(strings.ToUpper(before.Email))
		}
		_, err = w.People.Update(w.ctx, w.actor, id, harmless)
		is.NoErr(err)
		_, err = w.byToken(token)
		is.NoErr(err)
	}
	_, err := w.People.Update(w.ctx, w.actor, id, person.Changes{Email: new("another@example.test")})
	is.NoErr(err)
	_, err = w.byToken(token)
	is.True(fault.Is(err, fault.Gone))
	_, err = w.accept(token)
	is.True(fault.Is(err, fault.Gone))

	w.clock.Advance(time.Hour)
	_, err = w.Invitations.Resend(w.ctx, w.actor, id)
	is.NoErr(err)
	_, err = w.accept(w.lastToken(t))
	is.NoErr(err)
}

func TestRefusedAcceptanceChangesNothing(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	token, bad, email := w.lastToken(t), "a\x00b", "other@example.test"
	_, _, err := w.Invitations.Accept(w.ctx, app.Actor{}, token, person.Changes{FirstName: &bad, LastName: &bad})
	is.Equal(len(fault.All(err)), 2)
	_, _, err = w.Invitations.Accept(w.ctx, app.Actor{}.DryRun(), token, person.Changes{})
	is.NoErr(err)
	for _, unknown := range []string{"", "x", "0000000000000000000000000000000000000000"} {
		_, err = w.accept(unknown)
		is.True(fault.Is(err, fault.NotFound))
	}
	// Only names are taken from the request.
	p, _, err := w.Invitations.Accept(w.ctx, app.Actor{}, token, person.Changes{Email: &email})
	is.NoErr(err)
	is.Equal(p.ID, id)
	is.Equal(p.Email, "new@example.test")
}

func TestConcurrentAcceptancesSucceedOnce(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	token := w.lastToken(t)
	errs := make([]error, 64)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = w.accept(token) })
	}
	wg.Wait()
	accepted := 0
	for _, err := range errs {
		if err == nil {
			accepted++
			continue
		}
		is.True(fault.Is(err, fault.Gone))
	}
	is.Equal(accepted, 1)
}

func TestInvitationLinkExpires(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.InvitationDelivery.SetLinkLifetime(time.Hour)
	w.invite(t)
	token := w.lastToken(t)
	w.clock.Advance(time.Hour)
	_, err := w.accept(token)
	is.True(fault.Is(err, fault.Gone))
}

// A message whose delivery failed may have arrived, so its link is valid too.
func TestEveryAttemptHasUsableLink(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	w.invite(t)
	w.emails.Lose(errors.New("the process ended after sending"))
	w.deliver(t)
	w.emails.Lose(nil)
	w.clock.Advance(time.Minute)
	w.deliver(t)
	emails := w.emails.Messages()
	is.Equal(len(emails), 2)
	is.Equal(emails[0].ID, emails[1].ID)
	is.True(emails[0].Token != emails[1].Token)
	_, err := w.accept(emails[0].Token)
	is.NoErr(err)
	_, err = w.accept(emails[1].Token) // already accepted
	is.True(fault.Is(err, fault.Gone))
}

func TestResendExpiresEarlierLinks(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	first := w.lastToken(t)
	asked, err := w.Invitations.Resend(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(asked.RequestedAt, start) // requested just before
	is.Equal(len(w.waiting(t)), 0)

	w.clock.Advance(time.Minute)
	again, err := w.Invitations.Resend(w.ctx, w.actor, id)
	is.NoErr(err)
	is.True(again.MessageID != asked.MessageID)
	_, err = w.accept(first)
	is.True(fault.Is(err, fault.Gone))
	w.clock.Advance(time.Minute)
	last, err := w.Invitations.Resend(w.ctx, w.actor, id) // while the previous message still waits
	is.NoErr(err)
	is.Equal(len(w.waiting(t)), 2)
	token := w.lastToken(t)
	emails := w.emails.Messages()
	is.Equal(len(emails), 2) // the replaced message is not sent
	is.Equal(emails[1].ID, last.MessageID)
	got, err := w.Invitations.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(got, last)
	_, err = w.accept(token)
	is.NoErr(err)
	_, err = w.Invitations.Resend(w.ctx, w.actor, id)
	is.True(fault.Is(err, fault.Invalid))
}

func TestResendIsForbiddenUnderSingleSignOn(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.SSO)
	id := w.invite(t)
	_, err := w.Invitations.Resend(w.ctx, w.actor, id)
	is.True(fault.Is(err, fault.Forbidden))
	_, err = w.Invitations.Get(w.ctx, w.actor, id)
	is.True(fault.Is(err, fault.NotFound))
	is.Equal(len(w.waiting(t)), 0)
}

func TestResendAfterDeadDelivery(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	w.emails.Fail(fault.Invalidf("email", "550 no such mailbox"))
	w.deliver(t)
	dead := w.waiting(t)[0]
	is.Equal(dead.State, job.Dead)
	w.emails.Fail(nil)
	w.clock.Advance(time.Hour)
	_, err := w.Invitations.Resend(w.ctx, w.actor, id)
	is.NoErr(err)
	token := w.lastToken(t)
	is.NoErr(w.Jobs.Retry(w.ctx, invitation.Kind, dead.ID)) // has no effect
	w.deliver(t)
	is.Equal(len(w.emails.Messages()), 1)
	is.Equal(len(w.waiting(t)), 0)
	_, err = w.accept(token)
	is.NoErr(err)
}

func TestDeletePersonDeletesInvitationLinks(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.invite(t)
	token := w.lastToken(t)
	is.NoErr(w.People.Delete(w.ctx, w.actor, id))
	_, err := w.accept(token)
	is.True(fault.Is(err, fault.NotFound))
}
