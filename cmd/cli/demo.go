package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/operator"
	"lyceum/app/transfer"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// demoName is the name of the school that the command creates, and demoOwner is the address of its
// owner.
const (
	demoName  = "Demo Academy"
	demoOwner = "owner@example.test"
)

type demoCmd struct {
	School      string `placeholder:"ID|NAME" help:"School to add data to. Defaults to the only school, or to a new school named Demo Academy if there is none, with the owner owner@example.test."`
	People      int    `default:"1000" help:"Number of people to generate. The defaults of the other numbers grow with it, up to those for 1000 people."`
	Courses     *int   `help:"Number of courses to generate. Each has activities of all kinds."`
	Categories  *int   `help:"Number of categories to generate."`
	Coupons     *int   `help:"Number of coupons to generate."`
	Groups      *int   `help:"Number of groups to generate. Half of them have a course."`
	Enrollments *int   `help:"Number of enrollments to generate."`
	Memberships *int   `help:"Number of memberships to generate."`
	Answers     *int   `help:"Number of quiz answers to generate."`
	Events      *int   `help:"Number of events to generate."`
	Submissions *int   `help:"Number of submissions to generate. Each has a small file."`
	Seed        uint64 `default:"1" help:"Random seed. The same seed generates the same data, so use each seed only once per school."`
	Output      string `short:"o" placeholder:"FILE" help:"Write a new school with the generated data to a .jsonl file, for serve --load, instead of adding the data to a school."`

	Settings storeSettings  `embed:"" group:"store"`
	Files    folderSettings `embed:"" prefix:"files." group:"store"`
}

// size returns the numbers in the flags. Missing numbers are derived from the given numbers.
func (c *demoCmd) size() demo.Size {
	set := func(field *int, given *int) {
		if given != nil {
			*field = *given
		}
	}
	s := demo.DefaultSize(c.People)
	s.Seed = c.Seed
	set(&s.Courses, c.Courses)
	set(&s.Categories, c.Categories)
	set(&s.Coupons, c.Coupons)
	set(&s.Groups, c.Groups)
	s = s.WithPossibleMembers()
	set(&s.Enrollments, c.Enrollments)
	set(&s.Memberships, c.Memberships)
	s = s.WithPossibleWork()
	set(&s.Answers, c.Answers)
	set(&s.Events, c.Events)
	set(&s.Submissions, c.Submissions)
	return s
}

// Run adds generated data to a school.
func (c *demoCmd) Run(ctx context.Context, t terminal) error {
	size := c.size()
	if err := size.Validate(); err != nil {
		return err
	}
	if c.Output != "" {
		return replaceFile("demo", c.Output, func(w io.Writer) error { return demo.Write(w, demoName, size) })
	}
	return c.Settings.withFiles(ctx, t, "demo", c.Files, func(a *app.App) error {
		s, err := c.school(ctx, t, a.Provision)
		if err != nil {
			return err
		}
		who := app.SystemActor(s.State().ID)
		if err := c.checkSeed(ctx, a, who, size); err != nil {
			return err
		}
		if size.FeedEnd, err = feedEnd(ctx, a, who); err != nil {
			return err
		}
		bar := newBar(t, -1, "written")
		im := transfer.Import{Open: demo.Generated(s.State().Name, size), Policies: transfer.SkipPolicies, Once: true, Progress: bar.lines}
		_, err = a.Transfers.Import(ctx, who, im)
		bar.end()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.err, "Added to school %q: %d people, %d courses, %d categories, %d coupons, %d groups, "+
			"%d enrollments, %d memberships, %d answers, %d submissions and %d events.\n",
			s.State().Name, size.People, size.Courses, size.Categories, size.Coupons, size.Groups,
			size.Enrollments, size.Memberships, size.Answers, size.Submissions, size.Events)
		return err
	})
}

// checkSeed returns an error if the school already has the first person of the seed. Otherwise an
// import would skip existing rows, and the remaining rows would not match them.
func (c *demoCmd) checkSeed(ctx context.Context, a *app.App, who app.Actor, size demo.Size) error {
	q := query.Query{Page: query.NewPage(1, 1), Where: query.Cond{
		Attr: person.Schema.Attr("email"), Op: query.Eq, Values: []query.Value{{Text: size.Email(0), Fold: text.Fold(size.Email(0))}},
	}}
	found, err := a.People.List(ctx, who, q)
	if err == nil && len(found.Items) > 0 {
		err = fmt.Errorf("demo: the school already has data generated with seed %d; use a different --seed", c.Seed)
	}
	return err
}

// feedEnd returns the time of the school's last event, or the zero time if there is none.
func feedEnd(ctx context.Context, a *app.App, who app.Actor) (time.Time, error) {
	last, err := a.Events.List(ctx, who, query.Query{
		Sort: []query.Order{{Attr: event.Schema.Attr("created_at"), Desc: true}}, Page: query.NewPage(1, 1),
	})
	if err != nil || len(last.Items) == 0 {
		return time.Time{}, err
	}
	return last.Items[0].CreatedAt, nil
}

// school returns the school to add data to. It creates one if none exists.
func (c *demoCmd) school(ctx context.Context, t terminal, p *operator.Provision) (school.School, error) {
	if c.School != "" {
		return p.School(ctx, c.School)
	}
	all, err := p.Schools(ctx)
	switch {
	case err != nil:
		return school.School{}, err
	case len(all) > 1:
		return school.School{}, fault.Invalidf("school", "there are %d schools; choose one with --school", len(all))
	case len(all) == 1:
		return all[0], nil
	}
	made, err := p.CreateSchool(ctx, demoName, school.Preregistration, demoOwner)
	if err != nil {
		return school.School{}, err
	}
	t.printCreated(made, demoOwner)
	return p.School(ctx, made.ID.String())
}
