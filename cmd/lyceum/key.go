package main

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

type keyCmd struct {
	Create keyCreateCmd `cmd:"" help:"Make a key. Its secret goes to standard output, this once."`
	List   keyListCmd   `cmd:"" help:"List the keys of a school, without their secrets."`
	Revoke keyRevokeCmd `cmd:"" help:"Close a key for good. Servers obey within 5 seconds."`
}

type keyCreateCmd struct {
	School string `required:"" placeholder:"ID|NAME" help:"School that the key opens."`
	Name   string `default:"API key" help:"What the key is for, to know it again."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run makes the key.
func (c *keyCreateCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.operate(ctx, "key create", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		k, secret, err := a.Provision.CreateKey(ctx, s.State().ID, c.Name)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(t.err, "Key %q (%s) of the school %q made. Keep the secret, it is not shown again.\n",
			k.Name, k.ID, s.State().Name)
		_, err = fmt.Fprintln(t.out, secret)
		return err
	})
}

type keyListCmd struct {
	School string `required:"" placeholder:"ID|NAME" help:"School whose keys are listed."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lists the keys.
func (c *keyListCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.operate(ctx, "key list", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		keys, err := a.Provision.Keys(ctx, s.State().ID)
		if err != nil {
			return err
		}
		return table(t.out, "ID\tPREFIX\tNAME\tCREATED\tLAST USE\tREVOKED", keys, func(k school.Key) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s",
				k.ID, k.Prefix, k.Name, moment(&k.CreatedAt), moment(k.LastUsed), moment(k.RevokedAt))
		})
	})
}

type keyRevokeCmd struct {
	ID string `arg:"" help:"Id of the key, as key list shows it."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run revokes the key.
func (c *keyRevokeCmd) Run(ctx context.Context, t terminal) error {
	id, err := uuid.Parse(c.ID)
	if err != nil {
		return fmt.Errorf("key revoke: %q is not the id of a key (lyceum key list shows them)", c.ID)
	}
	return c.Settings.operate(ctx, "key revoke", func(a *app.App) error {
		err := a.Provision.RevokeKey(ctx, school.KeyID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("key revoke: there is no key %s", id)
		}
		if err == nil {
			_, err = fmt.Fprintf(t.err, "Key %s is revoked.\n", id)
		}
		return err
	})
}
