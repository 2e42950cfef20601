package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

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
	School  string `required:"" placeholder:"ID|NAME" help:"School that the key opens."`
	Name    string `default:"API key" help:"What the key is for, to know it again."`
	Scope   string `default:"admin" help:"What it may do: read, write (and read), or admin (everything)."`
	Expires string `placeholder:"WHEN" help:"When it expires: after a time such as 720h or 90d, or at the start of a day (UTC) such as 2027-01-31. Never unless given."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run makes the key.
func (c *keyCreateCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.operate(ctx, "key create", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		terms, err := c.terms(time.Now())
		if err != nil {
			return err
		}
		k, secret, err := a.Provision.CreateKey(ctx, s.State().ID, terms)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(t.err, "Key %q (%s, scope %s) of the school %q made. Keep the secret, it is not shown again.\n",
			k.Name, k.ID, k.Scope, s.State().Name)
		_, err = fmt.Fprintln(t.out, secret)
		return err
	})
}

// terms returns what the command line says of the key.
func (c *keyCreateCmd) terms(now time.Time) (school.KeyTerms, error) {
	scope, err := school.ParseScope(c.Scope)
	if err != nil {
		return school.KeyTerms{}, err
	}
	end, err := parseEnd(c.Expires, now)
	return school.KeyTerms{Name: c.Name, Scope: scope, ExpiresAt: end}, err
}

// longest is how many days ahead a key may expire.
const longest = 36_500

// parseEnd returns the time that a text stands for: so many days or so long from
// now, or the start of a day; nil when there is none.
func parseEnd(written string, now time.Time) (*time.Time, error) {
	if written == "" {
		return nil, nil
	}
	if days, ok := strings.CutSuffix(written, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n <= longest {
			end := now.AddDate(0, 0, n)
			return &end, nil
		}
	} else if d, err := time.ParseDuration(written); err == nil {
		end := now.Add(d)
		return &end, nil
	} else if day, err := time.Parse(time.DateOnly, written); err == nil {
		return &day, nil
	}
	return nil, fault.Invalidf("expires", "%q is neither a time such as 720h or 90d nor a day such as 2027-01-31", written)
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
		return table(t.out, "ID\tPREFIX\tNAME\tSCOPE\tCREATED\tLAST USE\tEXPIRES\tREVOKED", keys, func(k school.Key) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", k.ID, k.Prefix, k.Name, k.Scope,
				moment(&k.CreatedAt), moment(k.LastUsed), moment(k.ExpiresAt), moment(k.RevokedAt))
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
