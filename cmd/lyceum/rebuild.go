package main

import (
	"context"
	"fmt"

	"lyceum/app"
	"lyceum/domain/ledger"
	"lyceum/domain/school"
)

type rebuildCmd struct {
	School string `placeholder:"ID|NAME" help:"School whose books are checked. By default all, one after another."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run works out anew what is stored beside the facts, mends what differs and
// tells it.
func (c *rebuildCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.operate(ctx, "rebuild", func(a *app.App) error {
		schools, err := c.schools(ctx, a.Provision)
		for _, s := range schools {
			if err == nil {
				err = rebuild(ctx, t, a, s.State())
			}
		}
		return err
	})
}

func (c *rebuildCmd) schools(ctx context.Context, p *app.Provision) ([]school.School, error) {
	if c.School == "" {
		return p.Schools(ctx)
	}
	s, err := p.School(ctx, c.School)
	return []school.School{s}, err
}

func rebuild(ctx context.Context, t terminal, a *app.App, s school.State) error {
	found := 0
	err := a.Rebuild.School(ctx, s.ID, func(d ledger.Difference) {
		found++
		_, _ = fmt.Fprintf(t.out, "%s: %s was %s, is %s\n", d.Record, d.Value, d.Stored, d.Right)
	})
	if err != nil {
		return err
	}
	if found == 0 {
		_, err = fmt.Fprintf(t.err, "The school %q: no difference.\n", s.Name)
		return err
	}
	_, err = fmt.Fprintf(t.err, "The school %q: %d values were wrong and are set right.\n", s.Name, found)
	return err
}
