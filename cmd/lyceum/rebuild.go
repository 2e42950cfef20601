package main

import (
	"context"
	"fmt"

	"lyceum/app"
	"lyceum/domain/ledger"
)

type rebuildCmd struct {
	School string `required:"" placeholder:"ID|NAME" help:"School whose books are checked."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run works out anew what is stored beside the facts, mends what differs and
// tells it.
func (c *rebuildCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.operate(ctx, "rebuild", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		found := 0
		err = a.Rebuild.School(ctx, s.State().ID, func(d ledger.Difference) {
			found++
			_, _ = fmt.Fprintf(t.out, "%s: %s was %s, is %s\n", d.Record, d.Value, d.Stored, d.Right)
		})
		if err != nil {
			return err
		}
		if found == 0 {
			_, err = fmt.Fprintf(t.err, "The school %q: no difference.\n", s.State().Name)
			return err
		}
		_, err = fmt.Fprintf(t.err, "The school %q: %d values were wrong and are set right.\n", s.State().Name, found)
		return err
	})
}
