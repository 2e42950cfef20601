package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"lyceum/app"
	"lyceum/domain/school"
)

type schoolUpdateCmd struct {
	schoolArgument

	Slug            *string `help:"Part of the addresses of the academy: lowercase letters, digits and hyphens. No other school may have it." placeholder:"SLUG"`
	Auth            *string `help:"How people sign in: preregistration, open, url or sso." placeholder:"METHOD"`
	PublicCovers    *bool   `help:"Show the covers of courses to visitors who are not signed in." negatable:""`
	AdmitsNewPeople *bool   `help:"With sso, add unknown people when they sign in." negatable:""`
	Issuer          *string `help:"URL of the OpenID Connect provider for sso. Blank removes the provider." placeholder:"URL"`
	ClientID        *string `help:"Client ID of the school at the provider." placeholder:"ID"`
	ClientSecret    string  `name:"client-secret-file" help:"File that contains the client secret of the school at the provider. Required again when the issuer changes. It is encrypted with server.secret." placeholder:"FILE"`

	Settings storeSettings  `embed:"" group:"store"`
	Server   secretSettings `embed:"" prefix:"server." group:"store"`
}

// Run changes a school.
func (c *schoolUpdateCmd) Run(ctx context.Context, t terminal) error {
	const command = "school update"
	ref, err := c.school(command)
	if err != nil {
		return err
	}
	changes, err := c.changes()
	if err != nil {
		return err
	}
	secret, err := c.Server.secret()
	if err != nil {
		return err
	}
	return c.Settings.withApp(ctx, t, command, func(a *app.App) error {
		a.SetServerSecret(secret)
		found, err := a.Provision.School(ctx, ref)
		if err != nil {
			return err
		}
		after, err := a.Provision.UpdateSchool(ctx, found.State().ID, changes)
		if err == nil {
			_, err = fmt.Fprintf(t.err, "Updated school %q.\n", after.Name)
		}
		return err
	})
}

// changes returns the changes that the flags describe.
func (c *schoolUpdateCmd) changes() (school.Changes, error) {
	changes := school.Changes{Slug: c.Slug, PublicCovers: c.PublicCovers, AdmitsNewPeople: c.AdmitsNewPeople}
	changes.Provider.Issuer, changes.Provider.ClientID = c.Issuer, c.ClientID
	if c.Auth != nil {
		method, err := school.ParseAuthMethod(*c.Auth)
		if err != nil {
			return changes, err
		}
		changes.Auth = &method
	}
	if c.ClientSecret != "" {
		secret, err := os.ReadFile(c.ClientSecret)
		if err != nil {
			return changes, fmt.Errorf("school update: client-secret-file: %w", err)
		}
		text := strings.TrimSpace(string(secret))
		changes.Provider.ClientSecret = &text
	}
	return changes, nil
}

type schoolEntrySecretCmd struct {
	schoolArgument

	Settings storeSettings  `embed:"" group:"store"`
	Server   secretSettings `embed:"" prefix:"server." group:"store"`
}

// Run creates an entry secret.
func (c *schoolEntrySecretCmd) Run(ctx context.Context, t terminal) error {
	const command = "school entry-secret"
	ref, err := c.school(command)
	if err != nil {
		return err
	}
	key, err := c.Server.secret()
	if err != nil {
		return err
	}
	return c.Settings.withApp(ctx, t, command, func(a *app.App) error {
		a.SetServerSecret(key)
		found, err := a.Provision.School(ctx, ref)
		if err != nil {
			return err
		}
		secret, err := a.Provision.NewEntrySecret(ctx, found.State().ID)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(t.err, "Created the entry secret of school %q. Entry links signed with an earlier secret are no longer valid.\n", found.State().Name)
		_, err = fmt.Fprintln(t.out, secret)
		return err
	})
}
