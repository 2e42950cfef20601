package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
	"lyceum/adapters/crowd"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

type demoCmd struct {
	School      string `placeholder:"ID|NAME" help:"School to fill. By default the only one, or a new Demo Academy where there is none."`
	People      int    `default:"1000" help:"People to add."`
	Courses     int    `default:"50" help:"Courses to add, each with activities of all kinds."`
	Categories  int    `default:"12" help:"Categories to add."`
	Coupons     int    `default:"10" help:"Coupons to add."`
	Groups      int    `default:"20" help:"Groups to add; every other one holds a course."`
	Enrollments int    `default:"5000" help:"Enrollments to add."`
	Memberships int    `default:"1500" help:"Memberships of groups to add."`
	Answers     int    `default:"2000" help:"Answers to questions of quizzes to add."`
	Events      int    `default:"5000" help:"Events to add to the feed."`
	Seed        uint64 `default:"1" help:"The same seed makes the same rows; to add more to a school take another."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run fills the school.
func (c *demoCmd) Run(ctx context.Context, t terminal) error {
	size := crowd.Size{
		People: c.People, Courses: c.Courses, Categories: c.Categories, Coupons: c.Coupons, Groups: c.Groups,
		Enrollments: c.Enrollments, Memberships: c.Memberships, Answers: c.Answers, Events: c.Events, Seed: c.Seed,
	}
	if err := size.Validate(); err != nil {
		return err
	}
	return c.Settings.fill(ctx, "demo", func(a *app.App, to ports.Loader) error {
		s, err := c.school(ctx, t, a.Provision)
		if err != nil {
			return err
		}
		bar := progressbar.NewOptions(size.Total(),
			progressbar.OptionSetWriter(t.err), progressbar.OptionSetDescription("records"),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond))
		err = crowd.Fill(ctx, to, s.State().ID, size, func(done int, of string) {
			bar.Describe(of)
			_ = bar.Set(done) // progress that cannot be shown is no reason to stop
		})
		_, _ = fmt.Fprintln(t.err) // the bar has no end of line
		if errors.Is(err, ports.ErrKnown) {
			return fmt.Errorf("demo: the school has rows of the seed %d already: take another --seed", c.Seed)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.err, "The school %q has %d people, %d courses, %d categories, %d coupons, %d groups, "+
			"%d enrollments, %d memberships, %d answers and %d events more.\n",
			s.State().Name, c.People, c.Courses, c.Categories, c.Coupons, c.Groups,
			c.Enrollments, c.Memberships, c.Answers, c.Events)
		return err
	})
}

// school returns the school to fill, made where there is none to choose from.
func (c *demoCmd) school(ctx context.Context, t terminal, p *app.Provision) (school.School, error) {
	if c.School != "" {
		return p.School(ctx, c.School)
	}
	all, err := p.Schools(ctx)
	switch {
	case err != nil:
		return school.School{}, err
	case len(all) > 1:
		return school.School{}, fault.Invalidf("school", "there are %d schools; say which with --school", len(all))
	case len(all) == 1:
		return all[0], nil
	}
	made, err := p.CreateSchool(ctx, "Demo Academy", school.Preregistration, "")
	if err != nil {
		return school.School{}, err
	}
	_, _ = fmt.Fprintf(t.err, "School %q made. A key for it: lyceum key create --school %s\n", made.Name, made.ID)
	return p.School(ctx, made.ID.String())
}
