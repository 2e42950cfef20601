package cli

import (
	"context"
	"fmt"

	"lyceum/app"
	"lyceum/app/operator"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
)

type reconcileCmd struct {
	School string `placeholder:"ID|NAME" help:"School to reconcile. Defaults to all schools."`

	Settings storeSettings `embed:"" group:"store"`
}

func (c *reconcileCmd) interrupted() string { return "the discrepancies printed above are fixed" }

// Run recomputes derived data, fixes discrepancies and prints them.
func (c *reconcileCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "reconcile", func(a *app.App) error {
		schools, err := c.schools(ctx, a.Provision)
		for _, s := range schools {
			if err == nil {
				err = reconcileSchool(ctx, t, a, s.State())
			}
		}
		return err
	})
}

func (c *reconcileCmd) schools(ctx context.Context, p *operator.Provision) ([]school.School, error) {
	if c.School == "" {
		return p.Schools(ctx)
	}
	s, err := p.School(ctx, c.School)
	return []school.School{s}, err
}

func reconcileSchool(ctx context.Context, t terminal, a *app.App, s school.State) error {
	found := 0
	err := a.Reconcile.School(ctx, s.ID, func(d reconcile.Discrepancy) {
		found++
		_, _ = fmt.Fprintf(t.out, "%s: %s was %s, now %s\n", d.Record, d.Value, d.Stored, d.Expected)
	})
	if err != nil {
		return err
	}
	if found == 0 {
		_, err = fmt.Fprintf(t.err, "School %q: no discrepancies.\n", s.Name)
		return err
	}
	_, err = fmt.Fprintf(t.err, "School %q: fixed %d discrepancies.\n", s.Name, found)
	return err
}
