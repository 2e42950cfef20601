package app_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/app/teaching"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
	"lyceum/test/kit/intercept"
)

// departures are the ways in which ada no longer has her address.
var departures = map[string]func(c *classroom, a *app.App) error{
	"the person is deleted": func(c *classroom, a *app.App) error { return a.People.Delete(c.ctx, c.actor, c.ada) },
	"the address changes": func(c *classroom, a *app.App) error {
		email := "ada.lovelace@example.test"
		_, err := a.People.Update(c.ctx, c.actor, c.ada, person.Changes{Email: &email})
		return err
	},
}

// A sign-in link is requested after a deletion or a change of the address has revoked the links to
// the address, and before the commit. It is not sent, and the address does not remain in it.
func TestSignInLinkRequestedDuringDeparture(t *testing.T) {
	for name, leave := range departures {
		for store, open := range map[string]func() backend{
			"memory":   func() backend { return memory.New() },
			"postgres": func() backend { return onPostgres(t) },
		} {
			t.Run(name+"/"+store, func(t *testing.T) {
				is, c := is.New(t), newClassroomOn(t, open())
				in, err := c.schools.Get(c.ctx, c.school)
				is.NoErr(err)
				sent := make(chan signin.Message, 1)
				c.SignInDelivery.SetSender(senderFunc(func(m signin.Message) error {
					sent <- m
					return nil
				}))
				delivered := make(chan error, 1)
				begun := false
				var link signin.LinkID
				racing := intercept.Store(c.store, func(_ context.Context, call string) error {
					if call != "Commit" || begun {
						return nil
					}
					begun = true
					go func() {
						err := c.SignIns.Request(c.ctx, in.State(), adaAddress, "/courses?q=ada", false)
						if err == nil {
							link, err = c.requestedLink()
						}
						if err == nil {
							_, err = c.SignInDelivery.DeliverNext(c.ctx)
						}
						delivered <- err
					}()
					time.Sleep(300 * time.Millisecond) // the delivery waits, so there is nothing to wait for
					return nil
				})
				is.NoErr(leave(c, app.New(racing, c.schools, c.queue, c.files, c.emails, c.clock, c.ids)))
				is.NoErr(<-delivered)
				is.True(begun)
				is.Equal(len(sent), 0)
				is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
					l, err := tx.SignIns.LinkForUpdate(ctx, link)
					is.Equal(l.Email+l.Return, "")
					is.Equal(l.Hash, signin.Hash{})
					return err
				}))
			})
		}
	}
}

// requestedLink returns the link of the only job that delivers one.
func (c *classroom) requestedLink() (signin.LinkID, error) {
	found, err := c.queue.List(c.ctx, signin.Kind)
	if err != nil {
		return signin.LinkID{}, err
	}
	id, err := uuid.Parse(found[0].Payload)
	return signin.LinkID{UUID: id}, err
}

// A sign-in link is revoked after a worker has read its address, at a later time than the worker's.
// It is not sent, not even by an open school.
func TestSignInLinkRevokedDuringDelivery(t *testing.T) {
	for name, leave := range departures {
		t.Run(name, func(t *testing.T) {
			is, c := is.New(t), newClassroom(t)
			open := school.Open
			s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &open})
			is.NoErr(err)
			is.NoErr(c.SignIns.Request(c.ctx, s, adaAddress, "", false))
			transactions := 0
			racing := intercept.Store(c.store, func(_ context.Context, call string) error {
				if call != "InTx" {
					return nil
				}
				if transactions++; transactions != 2 {
					return nil
				}
				c.clock.Advance(time.Second)
				return leave(c, c.App)
			})
			d := usecase.Deps{Store: racing, Schools: c.schools, Clock: c.clock, IDs: c.ids}
			delivery := jobs.NewSignInDelivery(d, c.queue, jobs.NewInvitationDelivery(d, c.queue, c.emails))
			sent := 0
			delivery.SetSender(senderFunc(func(signin.Message) error {
				sent++
				return nil
			}))
			found, err := delivery.DeliverNext(c.ctx)
			is.NoErr(err)
			is.True(found)
			is.Equal(transactions, 2)
			is.Equal(sent, 0)
		})
	}
}

// An entry link finds ada, who no longer has her address when the link locks her. The link then adds
// a person. In memory nothing can happen in between.
func TestEntryOfPersonDuringDeparture(t *testing.T) {
	for name, leave := range departures {
		t.Run(name, func(t *testing.T) {
			is, c := is.New(t), newClassroomOn(t, onPostgres(t))
			c.SetServerSecret(serverSecret)
			s, e := c.withEntryLinks(t), entryOf(c, adaAddress)
			left := false
			a := c.hooked(func(_ context.Context, call string) error {
				if call != "Tx.People.GetForUpdate" || left {
					return nil
				}
				left = true
				return leave(c, c.App)
			})
			_, err := a.SignIns.Enter(c.ctx, s, e, e.Sign(entrySecret), "")
			is.NoErr(err)
			is.True(left)
			found, err := c.People.List(c.ctx, c.actor, query.Query{Page: query.AllRows()})
			is.NoErr(err)
			i := slices.IndexFunc(found.Items, func(p person.Summary) bool { return p.Email == adaAddress })
			is.True(i >= 0)
			is.True(found.Items[i].ID != c.ada)
		})
	}
}

// A person becomes an owner after an owner has asked for a sign-in link for the person, and before
// the link is saved. The link is refused, because its creator could act as the new owner.
func TestSignInLinkOfNewOwner(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	begun := false
	racing := intercept.Store(c.store, func(_ context.Context, call string) error {
		if call != "InTx" || begun {
			return nil
		}
		begun = true
		_, err := c.Partnerships.Create(c.ctx, c.actor, c.ada, person.Owner)
		return err
	})
	a := app.New(racing, c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
	_, err := a.SignIns.CreateLinkBy(c.ctx, c.actor, adaAddress, teaching.CheckLink)
	is.True(fault.Is(err, fault.Forbidden))
	_, err = c.SignIns.CreateLink(c.ctx, c.school, adaAddress) // the operator can create one
	is.NoErr(err)
}

// A person who accepts an invitation gets no link for another person who gets the address at that
// moment.
func TestSignInLinkOfMovedAddress(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	accepted, err := c.People.Get(c.ctx, c.actor, c.ada)
	is.NoErr(err)
	other, address := "other@example.test", adaAddress
	_, err = c.People.Update(c.ctx, c.actor, c.ada, person.Changes{Email: &other})
	is.NoErr(err)
	_, err = c.People.Update(c.ctx, c.actor, c.bob, person.Changes{Email: &address})
	is.NoErr(err)
	_, err = c.SignIns.CreateLinkOfInvited(c.ctx, c.school, accepted)
	is.True(fault.Is(err, fault.NotFound))
}
