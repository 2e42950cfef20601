package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// demoName is what a new school of the command is called.
const demoName = "Demo Academy"

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
	Output      string `short:"o" placeholder:"FILE" help:"Write the school to a file of lines, such as serve --load reads, and fill no school."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run fills the school.
func (c *demoCmd) Run(ctx context.Context, t terminal) error {
	size := demo.Size{
		People: c.People, Courses: c.Courses, Categories: c.Categories, Coupons: c.Coupons, Groups: c.Groups,
		Enrollments: c.Enrollments, Memberships: c.Memberships, Answers: c.Answers, Events: c.Events, Seed: c.Seed,
	}
	if err := size.Validate(); err != nil {
		return err
	}
	if c.Output != "" {
		return replaceFile("demo", c.Output, func(w io.Writer) error { return demo.Write(w, demoName, size) })
	}
	return c.Settings.operate(ctx, "demo", func(a *app.App) error {
		s, err := c.school(ctx, t, a.Provision)
		if err != nil {
			return err
		}
		who := app.System(s.State().ID)
		if err := c.checkSeed(ctx, a, who, size); err != nil {
			return err
		}
		if size.FeedEnd, err = feedEnd(ctx, a, who); err != nil {
			return err
		}
		bar := newBar(t, -1, "written")
		im := transfer.Import{Open: demo.Generated(s.State().Name, size), Restore: true, Once: true, Told: bar.lines}
		_, err = a.Transfers.Import(ctx, who, im)
		bar.end()
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

// checkSeed refuses a seed whose first person the school has: an import leaves the
// rows that it knows as they are, so that the rest would not go with them.
func (c *demoCmd) checkSeed(ctx context.Context, a *app.App, who app.Actor, size demo.Size) error {
	q := query.Query{Page: query.NewPage(1, 1), Where: query.Cond{
		Attr: person.Schema.Attr("email"), Op: query.Eq, Values: []query.Value{{Text: size.Email(0), Fold: text.Fold(size.Email(0))}},
	}}
	found, err := a.People.List(ctx, who, q)
	if err == nil && len(found.Items) > 0 {
		err = fmt.Errorf("demo: the school has rows of the seed %d already: take another --seed", c.Seed)
	}
	return err
}

// feedEnd returns the time of the last event, zero when there is none.
func feedEnd(ctx context.Context, a *app.App, who app.Actor) (time.Time, error) {
	last, err := a.Events.List(ctx, who, query.Query{
		Sort: []query.Order{{Attr: event.Schema.Attr("created_at"), Desc: true}}, Page: query.NewPage(1, 1),
	})
	if err != nil || len(last.Items) == 0 {
		return time.Time{}, err
	}
	return last.Items[0].CreatedAt, nil
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
	made, err := p.CreateSchool(ctx, demoName, school.Preregistration, "")
	if err != nil {
		return school.School{}, err
	}
	_, _ = fmt.Fprintf(t.err, "School %q made. A key for it: lyceum key create --school %s\n", made.Name, made.ID)
	return p.School(ctx, made.ID.String())
}
