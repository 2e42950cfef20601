package cli

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
	Create keyCreateCmd `cmd:"" help:"Create an API key and print its secret. The secret is not shown again."`
	List   keyListCmd   `cmd:"" help:"List the API keys of a school, without their secrets."`
	Revoke keyRevokeCmd `cmd:"" help:"Revoke an API key permanently. Servers reject it within 5 seconds."`
}

type keyCreateCmd struct {
	School  string `required:"" placeholder:"ID|NAME" help:"School that the key gives access to."`
	Name    string `default:"API key" help:"Name that identifies the key in lists."`
	Scope   string `default:"admin" help:"Scope: read, write (read and write) or admin (everything, including API keys)."`
	Expires string `placeholder:"WHEN" help:"When the key expires: after a duration such as 720h or 90d, or on a UTC date such as 2027-01-31. Defaults to never."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run creates a key.
func (c *keyCreateCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "key create", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		params, err := c.params(time.Now())
		if err != nil {
			return err
		}
		k, secret, err := a.Provision.CreateKey(ctx, s.State().ID, params)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(t.err, "Created key %q (%s, scope %s) for school %q. Store the secret now; it is not shown again.\n",
			k.Name, k.ID, k.Scope, s.State().Name)
		_, err = fmt.Fprintln(t.out, secret)
		return err
	})
}

// params returns the parameters of the key from the flags.
func (c *keyCreateCmd) params(now time.Time) (school.KeyParams, error) {
	scope, err := school.ParseScope(c.Scope)
	if err != nil {
		return school.KeyParams{}, err
	}
	end, err := parseExpiry(c.Expires, now)
	return school.KeyParams{Name: c.Name, Scope: scope, ExpiresAt: end}, err
}

// maxExpiryDays is the maximum number of days until a key expires.
const maxExpiryDays = 36_500

// parseExpiry parses a number of days or a duration after now, or a date, which means the start of
// that day in UTC. It returns nil if written is blank.
func parseExpiry(written string, now time.Time) (*time.Time, error) {
	if written == "" {
		return nil, nil
	}
	if days, ok := strings.CutSuffix(written, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n <= maxExpiryDays {
			end := now.AddDate(0, 0, n)
			return &end, nil
		}
	} else if d, err := time.ParseDuration(written); err == nil {
		end := now.Add(d)
		return &end, nil
	} else if day, err := time.Parse(time.DateOnly, written); err == nil {
		return &day, nil
	}
	return nil, fault.Invalidf("expires", "%q is not a valid duration or date, such as 720h, 90d or 2027-01-31", written)
}

type keyListCmd struct {
	School string `required:"" placeholder:"ID|NAME" help:"School whose keys are listed."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lists the keys of a school.
func (c *keyListCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "key list", func(a *app.App) error {
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
				formatTime(&k.CreatedAt), formatTime(k.LastUsed), formatTime(k.ExpiresAt), formatTime(k.RevokedAt))
		})
	})
}

type keyRevokeCmd struct {
	ID string `arg:"" help:"ID of the key, as shown by ${program} key list."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run revokes a key.
func (c *keyRevokeCmd) Run(ctx context.Context, t terminal) error {
	id, err := uuid.Parse(c.ID)
	if err != nil {
		return fmt.Errorf("key revoke: %q is not a key ID; to list keys: %s key list", c.ID, t.program)
	}
	return c.Settings.withApp(ctx, t, "key revoke", func(a *app.App) error {
		err := a.Provision.RevokeKey(ctx, school.KeyID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("key revoke: there is no key %s", id)
		}
		if err == nil {
			_, err = fmt.Fprintf(t.err, "Revoked key %s.\n", id)
		}
		return err
	})
}
