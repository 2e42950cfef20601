package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"lyceum/app"
	"lyceum/domain/school"
)

type schoolCmd struct {
	Create schoolCreateCmd `cmd:"" help:"Make a school. Its id goes to standard output."`
	List   schoolListCmd   `cmd:"" help:"List all schools."`
}

type schoolCreateCmd struct {
	Name  string `required:"" help:"Name of the school."`
	Auth  string `default:"preregistration" help:"How its people sign in: preregistration, open, url or sso."`
	Owner string `placeholder:"EMAIL" help:"E-mail address of the owner, who becomes its first person."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run makes the school.
func (c *schoolCreateCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.operate(ctx, "school create", func(a *app.App) error {
		auth, err := school.ParseAuthMethod(c.Auth)
		if err != nil {
			return err
		}
		s, err := a.Provision.CreateSchool(ctx, c.Name, auth, c.Owner)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(t.err, "School %q made. A key for it: lyceum key create --school %s\n", s.Name, s.ID)
		_, err = fmt.Fprintln(t.out, s.ID)
		return err
	})
}

type schoolListCmd struct {
	Settings storeSettings `embed:"" group:"store"`
}

// Run lists the schools.
func (c *schoolListCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.operate(ctx, "school list", func(a *app.App) error {
		schools, err := a.Provision.Schools(ctx)
		if err != nil {
			return err
		}
		return table(t.out, "ID\tNAME\tAUTHENTICATION\tCREATED", schools, func(one school.School) string {
			s := one.State()
			return fmt.Sprintf("%s\t%s\t%s\t%s", s.ID, s.Name, s.Auth, moment(&s.CreatedAt))
		})
	})
}

// table writes rows below head, whose columns are separated by tabs.
func table[T any](w io.Writer, head string, rows []T, line func(T) string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, head) // Flush tells
	for _, row := range rows {
		_, _ = fmt.Fprintln(tw, line(row))
	}
	return tw.Flush()
}

// moment returns an instant as lists show it, a dash where there is none.
func moment(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.UTC().Format(time.RFC3339)
}
