package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/token"
	"lyceum/domain/webhook"
	"lyceum/test/kit/intercept"
)

// A request whose key is revoked or expires while the request waits changes nothing that keeps the
// rights of the key.
func TestEndedKeyKeepsNoRights(t *testing.T) {
	address, secret, email := "https://hooks.example.test/a", strings.Repeat("secret", 8), "mine@example.test"
	hook := webhook.Changes{URL: &address, Types: &[]string{"*"}}
	type kept struct {
		*classroom
		a    *app.App // on a store that ends the key
		by   app.Actor
		made school.KeyID
		hook webhook.ID
	}
	for name, keep := range map[string]func(k kept) error{
		"a key": func(k kept) error {
			return third(k.a.Keys.Create(k.ctx, k.by, school.KeyParams{Name: "later", Scope: school.Admin}))
		},
		"a key in place of another": func(k kept) error { return third(k.a.Keys.Rotate(k.ctx, k.by, k.made, time.Hour)) },
		"a role": func(k kept) error {
			_, err := k.a.Partnerships.Create(k.ctx, k.by, k.ada, person.Owner)
			return err
		},
		"an address of an owner": func(k kept) error {
			_, err := k.a.People.Update(k.ctx, k.by, k.people["owner@example.test"], person.Changes{Email: &email})
			return err
		},
		"a learner token":         func(k kept) error { return third(k.a.Tokens.Create(k.ctx, k.by, k.ada, token.Expiry{})) },
		"a webhook":               func(k kept) error { return third(k.a.Webhooks.Create(k.ctx, k.by, hook)) },
		"a secret of a webhook":   func(k kept) error { return third(k.a.Webhooks.Rotate(k.ctx, k.by, k.hook)) },
		"an address of a webhook": func(k kept) error { _, err := k.a.Webhooks.Update(k.ctx, k.by, k.hook, hook); return err },
		"a secret of the school": func(k kept) error {
			_, err := k.a.School.Update(k.ctx, k.by, school.Changes{EntrySecret: &secret})
			return err
		},
	} {
		for _, ends := range []string{"is revoked", "expires", "remains"} {
			t.Run(name+", and the key "+ends, func(t *testing.T) {
				is, c := is.New(t), newClassroom(t)
				c.SetServerSecret(serverSecret)
				expiry := c.clock.Now().Add(time.Hour)
				used, _, err := c.Keys.Create(c.ctx, c.actor, school.KeyParams{Name: "used", Scope: school.Admin, ExpiresAt: &expiry})
				is.NoErr(err)
				made, _, err := c.Keys.Create(c.ctx, c.actor, school.KeyParams{Name: "made", Scope: school.Admin})
				is.NoErr(err)
				added, _, err := c.Webhooks.Create(c.ctx, c.actor, hook)
				is.NoErr(err)
				ended := false
				end := func(_ context.Context, call string) error {
					switch {
					case call != "InTx" || ended:
					case ends == "expires":
						c.clock.Advance(time.Hour)
					case ends == "is revoked":
						is.NoErr(c.Keys.Revoke(c.ctx, c.actor, used.ID))
					}
					ended = ended || call == "InTx"
					return nil
				}
				a := app.New(intercept.Store(c.store, end), c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
				a.SetServerSecret(serverSecret)
				err = keep(kept{c, a, usecase.ByKey(used), made.ID, added.ID})
				is.True(ended)
				if ends == "remains" {
					is.NoErr(err)
				} else {
					is.True(fault.Is(err, fault.Unauthenticated))
				}
			})
		}
	}
}

// third returns the error of a function with three results.
func third[T, U any](_ T, _ U, err error) error { return err }
