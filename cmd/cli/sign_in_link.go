package cli

import (
	"context"
	"fmt"

	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/signin"
)

type signInLinkCmd struct {
	School string `required:"" placeholder:"ID|NAME" help:"School of the person."`
	Person string `required:"" placeholder:"EMAIL" help:"Email address of the person."`

	Settings storeSettings `embed:"" group:"store"`
	Links    linkSettings  `embed:"" group:"links"`
}

// Run creates a sign-in link.
func (c *signInLinkCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "sign-in-link", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		links, err := server.LinksOf(server.Config{Links: c.Links.read()})
		if err != nil {
			return err
		}
		token, err := a.SignIns.CreateLink(ctx, s.State().ID, c.Person)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(t.err, "The link signs in %s once, within %.0f minutes.\n", c.Person, signin.LinkLifetime.Minutes())
		_, err = fmt.Fprintln(t.out, links.SignIn(s.State().Slug, token))
		return err
	})
}
