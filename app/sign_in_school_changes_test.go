package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/audit"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/test/kit/intercept"
)

// strangerAddress is the email address of no person.
const strangerAddress = "eve@example.test"

// An entrance is a sign-in that a request has begun. A call completes it with the school as it was
// when the request began.
type entrance func(in *app.App) error

// byEntryLink returns the entrance of a stranger with an entry link.
func byEntryLink(t *testing.T, c *classroom) entrance {
	s := c.withEntryLinks(t)
	e := entryOf(c, strangerAddress)
	return func(in *app.App) error {
		_, err := in.SignIns.Enter(c.ctx, s, e, e.Sign(entrySecret), "")
		return err
	}
}

// bySignInLink returns the entrance of Ada with a sign-in link.
func bySignInLink(t *testing.T, c *classroom) entrance {
	is := is.New(t)
	s, err := c.schools.Get(c.ctx, c.school)
	is.NoErr(err)
	token, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
	is.NoErr(err)
	return func(in *app.App) error {
		_, err := in.SignIns.UseLink(c.ctx, s.State(), token, "")
		return err
	}
}

// byMailedLink returns the entrance of a stranger with a sign-in link that an open school has sent.
func byMailedLink(t *testing.T, c *classroom) entrance {
	is, open := is.New(t), school.Open
	s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &open})
	is.NoErr(err)
	var token string
	c.SignInDelivery.SetSender(senderFunc(func(m signin.Message) error {
		token = m.Token
		return nil
	}))
	is.NoErr(c.SignIns.Request(c.ctx, s, strangerAddress, "", false))
	_, err = c.SignInDelivery.DeliverNext(c.ctx) // leaves the email to the other
	is.NoErr(err)
	_, err = c.SignInDelivery.DeliverNextToStranger(c.ctx)
	is.NoErr(err)
	return func(in *app.App) error {
		_, err := in.SignIns.UseLink(c.ctx, s, token, "")
		return err
	}
}

// byProvider returns the entrance of Ada, whom a provider has identified.
func byProvider(t *testing.T, c *classroom) entrance {
	s, token, returned := c.beginAtProvider(t)
	return func(in *app.App) error {
		in.SignIns.SetProviders(adaAtProvider{})
		_, err := in.SignIns.CompleteSSO(c.ctx, s, ssoReturn, token, returned, "")
		return err
	}
}

func suspend(c *classroom, a *app.App) error {
	_, err := a.Provision.SuspendSchool(c.ctx, c.school)
	return err
}

func replaceEntrySecret(c *classroom, a *app.App) error {
	_, err := a.Provision.NewEntrySecret(c.ctx, c.school)
	return err
}

func changeSchool(changes school.Changes) func(c *classroom, a *app.App) error {
	return func(c *classroom, a *app.App) error {
		_, err := a.Provision.UpdateSchool(c.ctx, c.school, changes)
		return err
	}
}

// A change of the school is committed while a sign-in, which has read the school, waits. The
// sign-in is refused and adds nothing.
func TestSchoolChangesDuringSignIn(t *testing.T) {
	client := "another"
	anotherClient := changeSchool(school.Changes{Provider: school.ProviderChanges{ClientID: &client}})
	toURL, toInvitations := changeSchool(school.Changes{Auth: &school.URL}), changeSchool(school.Changes{Auth: &school.Preregistration})
	tests := []struct {
		name   string
		begin  func(*testing.T, *classroom) entrance
		change func(*classroom, *app.App) error
		want   fault.Kind
	}{
		{"the school of an entry link is suspended", byEntryLink, suspend, fault.Forbidden},
		{"the secret of an entry link is replaced", byEntryLink, replaceEntrySecret, fault.Gone},
		{"the school of an entry link has another method", byEntryLink, toInvitations, fault.NotFound},
		{"the school of a sign-in link is suspended", bySignInLink, suspend, fault.Forbidden},
		{"the school of a mailed link is suspended", byMailedLink, suspend, fault.Forbidden},
		{"the school of a mailed link is no longer open", byMailedLink, toInvitations, fault.Gone},
		{"the school of a mailed link has entry links", byMailedLink, toURL, fault.Gone},
		{"the school of a provider is suspended", byProvider, suspend, fault.Forbidden},
		{"the school has another client at the provider", byProvider, anotherClient, fault.Gone},
	}
	eachStore(t, func(t *testing.T, open func(*testing.T) backend) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is, c := is.New(t), newClassroomOn(t, open(t))
				c.SetServerSecret(serverSecret)
				enter := tt.begin(t, c)
				people, sessions := c.admitted(t)
				entered := make(chan error, 1)
				begun := false
				is.NoErr(tt.change(c, c.hooked(func(_ context.Context, call string) error {
					if call == "Commit" && !begun {
						begun = true
						go func() { entered <- enter(c.App) }()
						time.Sleep(300 * time.Millisecond) // the sign-in waits, so there is nothing to wait for
					}
					return nil
				})))
				is.True(begun)
				is.True(fault.Is(<-entered, tt.want))
				gotPeople, gotSessions := c.admitted(t)
				is.Equal(gotPeople, people)
				is.Equal(gotSessions, sessions)
				if tt.want == fault.Forbidden { // the refused sign-in has used nothing up
					_, err := c.Provision.ResumeSchool(c.ctx, c.school)
					is.NoErr(err)
					is.NoErr(enter(c.App))
				}
			})
		}
	})
}

// A suspension waits for a sign-in that has found the school active.
func TestSuspensionWaitsForSignIn(t *testing.T) {
	ways := map[string]func(*testing.T, *classroom) entrance{
		"an entry link": byEntryLink, "a sign-in link": bySignInLink, "a mailed link": byMailedLink, "a provider": byProvider,
	}
	eachStore(t, func(t *testing.T, open func(*testing.T) backend) {
		for name, begin := range ways {
			t.Run(name, func(t *testing.T) {
				is, c := is.New(t), newClassroomOn(t, open(t))
				c.SetServerSecret(serverSecret)
				enter := begin(t, c)
				suspended := make(chan error, 1)
				begun, early := false, false
				is.NoErr(enter(c.hooked(func(_ context.Context, call string) error {
					if call != "Commit" || begun {
						return nil
					}
					begun = true
					go func() { suspended <- suspend(c, c.App) }()
					select {
					case err := <-suspended:
						suspended <- err
						early = true
					case <-time.After(300 * time.Millisecond):
					}
					return nil
				})))
				is.NoErr(<-suspended)
				is.True(begun)
				is.True(!early)
			})
		}
	})
}

// If a rule counts people, a sign-in that adds a person locks the school for update at once: two
// sign-ins that first lock it for share would wait for each other.
func TestSignInUnderQuotaLocksSchoolOnce(t *testing.T) {
	for _, tt := range []struct {
		email string
		want  []string
	}{
		{adaAddress, []string{"Tx.School.GetForShare"}},
		{strangerAddress, []string{"Tx.School.GetForUpdate", "Tx.School.GetForUpdate"}},
	} {
		t.Run(tt.email, func(t *testing.T) {
			is, c := is.New(t), newClassroom(t)
			c.SetServerSecret(serverSecret)
			s, e := c.withEntryLinks(t), entryOf(c, tt.email)
			var locks []string
			a := c.hooked(func(_ context.Context, call string) error {
				if call == "Tx.School.GetForShare" || call == "Tx.School.GetForUpdate" {
					locks = append(locks, call)
				}
				return nil
			})
			a.SetQuotas(app.Quotas{People: 100})
			_, err := a.SignIns.Enter(c.ctx, s, e, e.Sign(entrySecret), "")
			is.NoErr(err)
			is.Equal(locks, tt.want)
		})
	}
}

// eachStore runs the test on both stores.
func eachStore(t *testing.T, test func(t *testing.T, open func(*testing.T) backend)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, func(*testing.T) backend { return memory.New() }) })
	t.Run("postgres", func(t *testing.T) { test(t, func(t *testing.T) backend { return onPostgres(t) }) })
}

// hooked returns use cases on the store of c that call h before every call of the store.
func (c *classroom) hooked(h intercept.Hook) *app.App {
	a := app.New(intercept.Store(c.store, h), c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
	a.SetServerSecret(serverSecret)
	return a
}

// withEntryLinks makes the people of the school sign in by entry links, and returns the school.
func (c *classroom) withEntryLinks(t *testing.T) school.State {
	t.Helper()
	url, secret := school.URL, entrySecret
	s, err := c.Provision.UpdateSchool(c.ctx, c.school, school.Changes{Auth: &url, EntrySecret: &secret})
	is.New(t).NoErr(err)
	return s
}

func entryOf(c *classroom, email string) signin.Entry {
	return signin.Entry{Email: email, Nonce: "0123456789abcdef", Expires: c.clock.Now().Add(time.Minute).Unix()}
}

// admitted returns how many people the school has, and how many sign-ins it has had.
func (c *classroom) admitted(t *testing.T) (people int64, signIns int) {
	t.Helper()
	people, err := c.store.Read(c.school).School.CountPeople(c.ctx)
	is.New(t).NoErr(err)
	for _, e := range c.trail(t, 0) {
		if e.Action == audit.SignedIn {
			signIns++
		}
	}
	return people, signIns
}
