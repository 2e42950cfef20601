package jobs

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// signInRetry retries for some minutes, because a person waits for the email. strangerRetry retries
// less often: everyone can request emails to addresses that belong to no person, and each attempt
// delays the emails to other strangers of the school.
var (
	signInRetry   = job.RetryPolicy{MaxAttempts: 8, InitialDelay: 5 * time.Second, MaxDelay: 5 * time.Minute}
	strangerRetry = job.RetryPolicy{MaxAttempts: 3, InitialDelay: 30 * time.Second, MaxDelay: 5 * time.Minute}
)

// errNoSender is the error of a process that sends no sign-in links.
var errNoSender = errors.New("app: there is no sender of sign-in links")

// SignInDelivery sends emails with sign-in links. They count toward the limits of invitation
// emails.
type SignInDelivery struct {
	deps        usecase.Deps
	queue       ports.Queue
	invitations *InvitationDelivery
	sender      ports.SignInSender
}

// NewSignInDelivery returns a SignInDelivery that shares the limits of invitations.
func NewSignInDelivery(d usecase.Deps, queue ports.Queue, invitations *InvitationDelivery) *SignInDelivery {
	return &SignInDelivery{deps: d, queue: queue, invitations: invitations}
}

// SetSender sets the sender of emails. It must be called before the first delivery.
func (u *SignInDelivery) SetSender(s ports.SignInSender) { u.sender = s }

// DeliverNext sends the sign-in link whose job has been due longest or, if its address belongs to no
// person, leaves it to DeliverNextToStranger. It reports whether there was a job, like
// Handler.RunNext.
func (u *SignInDelivery) DeliverNext(ctx context.Context) (bool, error) {
	return u.deliverNext(ctx, signin.Kind, signInRetry)
}

// DeliverNextToStranger is like DeliverNext, for the links that DeliverNext has left to it.
func (u *SignInDelivery) DeliverNextToStranger(ctx context.Context) (bool, error) {
	return u.deliverNext(ctx, signin.StrangerKind, strangerRetry)
}

func (u *SignInDelivery) deliverNext(ctx context.Context, kind job.Kind, retry job.RetryPolicy) (bool, error) {
	return Handler{
		Queue: u.queue, Kind: kind, Lease: invitationLease, Retry: retry,
		Handle: u.deliver, IsPermanent: isInvalid,
	}.RunNext(ctx, u.deps)
}

func (u *SignInDelivery) deliver(ctx context.Context, j job.Job) error {
	id, err := uuid.Parse(j.Payload)
	if err != nil {
		return fault.Invalidf("payload", "is not the id of a link")
	}
	if u.sender == nil {
		return errNoSender
	}
	m, needed, err := u.write(ctx, j, signin.LinkID{UUID: id})
	if err != nil || !needed {
		return err
	}
	return withoutReply(u.sender.SendSignIn(ctx, m), m)
}

// replyCode matches the code with which a mail server begins its reply, with the enhanced code
// (RFC 3463) if there is one.
var replyCode = regexp.MustCompile(`(?:^|\s)[45][0-9]{2}(?: [45]\.[0-9]{1,3}\.[0-9]{1,3})?(?:\s|-|$)`)

// withoutReply returns err with a text that ends after the code of the mail server. The rest of a
// reply can contain the address and the name of the recipient in any form, and a dead job keeps the
// text, also after the person is deleted. An error without a code is about the connection.
func withoutReply(err error, m signin.Message) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if at := replyCode.FindStringIndex(text); at != nil {
		text = strings.Clone(strings.TrimRight(text[:at[1]], " -\n")) // a substring would keep the whole reply in memory
	}
	if strings.Contains(strings.ToLower(text), strings.ToLower(m.To)) {
		text = "the email could not be sent"
	}
	return hiddenError{err, text}
}

// hiddenError is an error with another text.
type hiddenError struct {
	error
	text string
}

func (e hiddenError) Error() string { return e.text }
func (e hiddenError) Unwrap() error { return e.error }

// write returns the email of j, with a new token for its link, and reports whether j must send it:
// the address belongs to a person, or the school is open to everyone, the link is not only for
// people, and j is of signin.StrangerKind. A job of signin.Kind for such an address is replaced by
// one of signin.StrangerKind. Only the hash of the token is stored.
//
// write locks the person before the link, as a deletion of the person and a change of the address do,
// which revoke the links. Without the lock, it could send a link that such a transaction has not
// found.
func (u *SignInDelivery) write(ctx context.Context, j job.Job, id signin.LinkID) (m signin.Message, needed bool, err error) {
	token, now, other := u.deps.NewToken(), u.deps.Clock.Now(), job.ID{UUID: u.deps.IDs.New()}
	email, err := u.address(ctx, j.School, id)
	if err != nil || email == "" {
		return m, false, err
	}
	var held *HeldError
	err = u.deps.InTx(ctx, usecase.SystemActor(j.School), func(ctx context.Context, tx ports.Tx) error {
		needed, held = false, nil
		to, known, err := usecase.LockPerson(ctx, tx, email)
		if err != nil {
			return err
		}
		l, err := tx.SignIns.LinkForUpdate(ctx, id)
		// A link without an address was revoked, perhaps at a later time than now.
		if fault.Is(err, fault.NotFound) || err == nil && (l.Email == "" || !l.Pending(now)) {
			return nil
		}
		if err != nil {
			return err
		}
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if !s.State().Auth.SignsInByEmail() || !known && (l.ForKnown || s.State().Auth != school.Open) {
			l.Revoke(now)
			return tx.SignIns.SaveLink(ctx, l)
		}
		if !known && j.Kind == signin.Kind {
			if err := tx.Jobs.Delete(ctx, j.Kind, j.Payload); err != nil { // in this transaction, so that one email is sent
				return err
			}
			return tx.Jobs.Add(ctx, job.New(other, j.School, signin.StrangerKind, j.Payload, now))
		}
		limits, d := u.invitations.limits, invitation.Delivery{Address: l.Address, MessageID: j.ID, At: now}
		if !known {
			limits, d.Address = limits.ForStrangers(), invitation.HashStranger(j.School, l.Email)
		}
		if held, err = u.invitations.claim(ctx, tx, s, limits, d); err != nil || held != nil {
			return err
		}
		m = signin.Message{ID: j.ID, School: s.State().Name, Slug: s.State().Slug, To: l.Email, Token: token}
		if known {
			m.To, m.Name = to.Email, to.FullName()
			l.Email = m.To // the mailbox that gets the link can differ from the address that was requested
		}
		l.Send(token, now)
		m.ExpiresAt, needed = l.ExpiresAt, true
		return tx.SignIns.SaveLink(ctx, l)
	})
	if err == nil && held != nil {
		return signin.Message{}, false, held
	}
	return m, needed, err
}

// address returns the email address of a link; blank if there is no such link or it was revoked.
func (u *SignInDelivery) address(ctx context.Context, of school.ID, id signin.LinkID) (email string, err error) {
	err = u.deps.InTx(ctx, usecase.SystemActor(of), func(ctx context.Context, tx ports.Tx) error {
		l, err := tx.SignIns.LinkForUpdate(ctx, id)
		if fault.Is(err, fault.NotFound) {
			err = nil
		}
		email = l.Email
		return err
	})
	return email, err
}
