package app_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// signInEmails delivers the requested sign-in links and returns the number of sent emails.
func (c *classroom) signInEmails(t *testing.T) int {
	t.Helper()
	sent := 0
	c.SignInDelivery.SetSender(senderFunc(func(signin.Message) error {
		sent++
		return nil
	}))
	for more := true; more; {
		toPerson, err := c.SignInDelivery.DeliverNext(c.ctx)
		is.New(t).NoErr(err)
		toStranger, err := c.SignInDelivery.DeliverNextToStranger(c.ctx)
		is.New(t).NoErr(err)
		more = toPerson || toStranger
	}
	return sent
}

// Everyone can request sign-in links, so an address gets a few emails in an hour, however often they
// are requested.
func TestSignInLinksOfAnAddressInAnHour(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	found, err := c.schools.Get(c.ctx, c.school)
	is.NoErr(err)
	sent := 0
	for range signin.RequestsAtOnce { // links of the operator do not count
		_, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
		is.NoErr(err)
	}
	for range 120 {
		is.NoErr(c.SignIns.Request(c.ctx, found.State(), adaAddress, "", false))
		sent += c.signInEmails(t)
		c.clock.Advance(30 * time.Second)
	}
	is.Equal(sent, signin.RequestsAtOnce+5) // then one in ten minutes
}

// In an open school everyone can request emails to unknown addresses. They use at most half of the
// daily emails, so that the people of the school can still sign in.
func TestEmailsToStrangersLeaveEmailsForPeople(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	open := school.Open
	s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &open})
	is.NoErr(err)
	c.InvitationDelivery.Limit(invitation.Limits{PerDay: 4})
	for _, stranger := range []string{"a@example.test", "b@example.test", "c@example.test", "d@example.test"} {
		is.NoErr(c.SignIns.Request(c.ctx, s, stranger, "", false))
	}
	is.Equal(c.signInEmails(t), 2)
	is.NoErr(c.SignIns.Request(c.ctx, s, adaAddress, "", false))
	is.Equal(c.signInEmails(t), 1)
}

// Addresses of strangers that differ only in a tag lead to one mailbox, which gets one email a
// minute. Each person gets their own.
func TestTaggedAddressesOfStrangers(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	open := school.Open
	s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &open})
	is.NoErr(err)
	request := func(addresses ...string) int {
		for _, address := range addresses {
			is.NoErr(c.SignIns.Request(c.ctx, s, address, "", false))
		}
		return c.signInEmails(t)
	}
	is.Equal(request("new+0@example.test", "new+1@example.test", "New+2@example.test", "ada+1@example.test"), 2)
	is.Equal(request(adaAddress), 1)
	for range 2 {
		c.clock.Advance(invitation.ResendInterval)
		is.Equal(c.signInEmails(t), 1)
	}
	for _, address := range []string{"bob+1@example.test", "bob+2@example.test"} {
		_, err := c.People.Create(c.ctx, c.actor, person.Profile{Email: address})
		is.NoErr(err)
	}
	is.Equal(request("bob+1@example.test", "bob+2@example.test"), 2)
}

// An email to a person is attempted for some minutes. An email to a stranger is attempted less often,
// and the job for people leaves it to the job for strangers.
func TestAttemptsOfSignInEmails(t *testing.T) {
	for _, tt := range []struct {
		to       string
		kind     job.Kind
		attempts int
	}{
		{adaAddress, signin.Kind, 8},
		{"stranger@example.test", signin.StrangerKind, 3},
	} {
		t.Run(tt.to, func(t *testing.T) {
			is, c := is.New(t), newClassroom(t)
			open := school.Open
			s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &open})
			is.NoErr(err)
			is.NoErr(c.SignIns.Request(c.ctx, s, tt.to, "", false))
			var ids []job.ID
			c.SignInDelivery.SetSender(senderFunc(func(m signin.Message) error {
				is.Equal(m.To, tt.to)
				ids = append(ids, m.ID)
				return errors.New("451 try again later")
			}))
			for range 40 {
				_, err := c.SignInDelivery.DeliverNext(c.ctx)
				is.NoErr(err)
				_, err = c.SignInDelivery.DeliverNextToStranger(c.ctx)
				is.NoErr(err)
				c.clock.Advance(time.Minute)
			}
			is.Equal(len(ids), tt.attempts)
			is.Equal(len(slices.Compact(ids)), 1) // one email
			for _, kind := range []job.Kind{signin.Kind, signin.StrangerKind} {
				left, err := c.queue.List(c.ctx, kind)
				is.NoErr(err)
				if kind != tt.kind {
					is.Equal(len(left), 0)
					continue
				}
				is.Equal(len(left), 1)
				is.Equal(left[0].State, job.Dead)
				is.Equal(left[0].LastError, "451")
			}
		})
	}
}

// Requests that may send an email only to people do not keep a stranger from requesting one.
func TestRequestsForPeopleDoNotDelayStrangers(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	open := school.Open
	s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &open})
	is.NoErr(err)
	const stranger = "stranger@example.test"
	is.NoErr(c.SignIns.Request(c.ctx, s, stranger, "", true))
	is.Equal(c.signInEmails(t), 0)
	is.NoErr(c.SignIns.Request(c.ctx, s, stranger, "", false))
	is.Equal(c.signInEmails(t), 1)
	is.NoErr(c.SignIns.Request(c.ctx, s, stranger, "", false))
	is.Equal(c.signInEmails(t), 0)
}

// A link to an address that a person no longer has is deleted, because it would keep the address
// after the person is deleted.
func TestLinksToOldAddressAreDeleted(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	token, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
	is.NoErr(err)
	address := "ada.lovelace@example.test"
	_, err = c.People.Update(c.ctx, c.actor, c.ada, person.Changes{Email: &address})
	is.NoErr(err)
	found, err := c.schools.Get(c.ctx, c.school)
	is.NoErr(err)
	_, err = c.SignIns.Link(c.ctx, found.State(), token)
	is.True(fault.Is(err, fault.NotFound))
	is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
		n, _, err := tx.SignIns.Requests(ctx, invitation.HashAddress(c.school, adaAddress), time.Time{}, true)
		is.Equal(n, 0)
		return err
	}))
}

// The links to the address of a person are deleted with the person, and with the address, however
// the people of the school sign in: a link may be older than a change of the method.
func TestLinksAreDeletedUnderEveryMethod(t *testing.T) {
	for _, method := range school.AuthMethods() {
		for name, remove := range map[string]func(c *classroom) error{
			"with the person": func(c *classroom) error { return c.People.Delete(c.ctx, c.actor, c.ada) },
			"with the address": func(c *classroom) error {
				address := "ada.lovelace@example.test"
				_, err := c.People.Update(c.ctx, c.actor, c.ada, person.Changes{Email: &address})
				return err
			},
		} {
			t.Run(method.String()+", "+name, func(t *testing.T) {
				is, c := is.New(t), newClassroom(t)
				token, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
				is.NoErr(err)
				s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &method})
				is.NoErr(err)
				is.NoErr(remove(c))
				_, err = c.SignIns.Link(c.ctx, s, token)
				is.True(fault.Is(err, fault.NotFound))
			})
		}
	}
}

// A sign-in link that the mail server refuses leaves a dead job with the code of the reply. The rest
// of the reply could contain the address or the name in any form.
func TestDeadSignInJobHasNoAddress(t *testing.T) {
	for _, tt := range []struct {
		reply func(m signin.Message) string
		want  string
	}{
		{func(m signin.Message) string { return "rejected: 550 no mailbox for <" + m.To + ">" }, "rejected: 550"},
		{func(m signin.Message) string { return "rejected: 550 5.1.1 " + m.Name + " is unknown" }, "rejected: 550 5.1.1"},
		{func(signin.Message) string { return "550-no mailbox for ada%40example.test" }, "550"},
		{func(m signin.Message) string { return "no code for " + strings.ToUpper(m.To) }, "the email could not be sent"},
		{func(signin.Message) string { return "dial tcp 192.0.2.1:465: connection refused" }, "dial tcp 192.0.2.1:465: connection refused"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			is, c := is.New(t), newClassroom(t)
			first, last := "Augusta", "King"
			_, err := c.People.Update(c.ctx, c.actor, c.ada, person.Changes{FirstName: &first, LastName: &last})
			is.NoErr(err)
			found, err := c.schools.Get(c.ctx, c.school)
			is.NoErr(err)
			is.NoErr(c.SignIns.Request(c.ctx, found.State(), adaAddress, "", false))
			c.SignInDelivery.SetSender(senderFunc(func(m signin.Message) error {
				return fault.Invalidf("email", "%s", tt.reply(m))
			}))
			_, err = c.SignInDelivery.DeliverNext(c.ctx)
			is.NoErr(err)
			dead, err := c.queue.List(c.ctx, signin.Kind, job.Dead)
			is.NoErr(err)
			is.Equal(len(dead), 1)
			is.Equal(strings.TrimPrefix(dead[0].LastError, "invalid: email: "), tt.want)
			is.True(!strings.Contains(strings.ToLower(dead[0].Payload), adaAddress))
		})
	}
}

// The last error of a job does not keep the rest of the reply in memory.
func TestSignInJobKeepsNoReply(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	found, err := c.schools.Get(c.ctx, c.school)
	is.NoErr(err)
	is.NoErr(c.SignIns.Request(c.ctx, found.State(), adaAddress, "", false))
	reply := "450 no mailbox for <" + adaAddress + ">"
	c.SignInDelivery.SetSender(senderFunc(func(signin.Message) error { return errors.New(reply) }))
	_, err = c.SignInDelivery.DeliverNext(c.ctx)
	is.NoErr(err)
	waiting, err := c.queue.List(c.ctx, signin.Kind, job.Waiting)
	is.NoErr(err)
	is.Equal(waiting[0].LastError, "450")
	is.True(unsafe.StringData(waiting[0].LastError) != unsafe.StringData(reply))
}
