package main

import (
	"context"
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
	"lyceum/adapters/schoolfile"
	"lyceum/app"
	"lyceum/domain/fault"
)

type demoCmd struct {
	School      string `required:"" placeholder:"ID|NAME" help:"School to fill."`
	People      int    `default:"1000" help:"People to add."`
	Courses     int    `default:"50" help:"Courses to add."`
	Categories  int    `default:"12" help:"Categories to add."`
	Enrollments int    `default:"5000" help:"Enrollments to add."`
	Seed        uint64 `default:"1" help:"The same seed makes the same rows; to add more to a school take another."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run fills the school.
func (c *demoCmd) Run(ctx context.Context, t terminal) error {
	b, err := schoolfile.Generate(schoolfile.Size{
		People: c.People, Courses: c.Courses, Categories: c.Categories, Enrollments: c.Enrollments, Seed: c.Seed,
	})
	if err != nil {
		return err
	}
	return c.Settings.operate(ctx, "demo", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		bar := progressbar.NewOptions(-1,
			progressbar.OptionSetWriter(t.err), progressbar.OptionSetDescription("records"),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond))
		err = a.Provision.Fill(ctx, s.State().ID, b, func(done, total int) {
			if bar.GetMax() != total {
				bar.ChangeMax(total)
			}
			_ = bar.Set(done) // progress that cannot be shown is no reason to stop
		})
		_, _ = fmt.Fprintln(t.err) // the bar has no end of line
		if faults := fault.All(err); len(faults) > 0 && faults[0].Holder != nil {
			return fmt.Errorf("demo: the school has rows of the seed %d already: take another --seed", c.Seed)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.err, "The school %q has %d people, %d courses, %d categories and %d enrollments more.\n",
			s.State().Name, c.People, c.Courses, c.Categories, c.Enrollments)
		return err
	})
}
