package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
)

// A request that waited while its key was revoked creates nothing that keeps the rights of the key.
func TestRevokedKeyKeepsNoRights(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	c.SetServerSecret(serverSecret)
	leaked, _, err := c.Provision.CreateKey(c.ctx, c.school, school.KeyParams{Name: "leaked", Scope: school.Admin})
	is.NoErr(err)
	by := usecase.ByKey(leaked)
	made, _, err := c.Keys.Create(c.ctx, by, school.KeyParams{Name: "made", Scope: school.Admin})
	is.NoErr(err)
	address := "https://hooks.example.test/a"
	hook, _, err := c.Webhooks.Create(c.ctx, by, webhook.Changes{URL: &address, Types: &[]string{"*"}})
	is.NoErr(err)
	is.NoErr(c.Keys.Revoke(c.ctx, c.actor, leaked.ID))
	secret := strings.Repeat("secret", 8)
	for name, keep := range map[string]func() error{
		"a key": func() error {
			_, _, err := c.Keys.Create(c.ctx, by, school.KeyParams{Name: "later", Scope: school.Admin})
			return err
		},
		"a key in place of another": func() error {
			_, _, err := c.Keys.Rotate(c.ctx, by, made.ID, time.Hour)
			return err
		},
		"a role": func() error {
			_, err := c.Partnerships.Create(c.ctx, by, c.ada, person.Owner)
			return err
		},
		"a webhook": func() error {
			_, _, err := c.Webhooks.Create(c.ctx, by, webhook.Changes{URL: &address, Types: &[]string{"*"}})
			return err
		},
		"an address of a webhook": func() error {
			other := "https://hooks.example.test/b"
			_, err := c.Webhooks.Update(c.ctx, by, hook.ID, webhook.Changes{URL: &other})
			return err
		},
		"a secret of a webhook": func() error {
			_, _, err := c.Webhooks.Rotate(c.ctx, by, hook.ID)
			return err
		},
		"a secret of the school": func() error {
			_, err := c.App.School.Update(c.ctx, by, school.Changes{EntrySecret: &secret})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			is.New(t).True(fault.Is(keep(), fault.Unauthenticated))
		})
	}
}
