package cli

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
	Create      schoolCreateCmd      `cmd:"" help:"Create a school and print its ID."`
	List        schoolListCmd        `cmd:"" help:"List all schools."`
	Rename      schoolRenameCmd      `cmd:"" help:"Rename a school."`
	Update      schoolUpdateCmd      `cmd:"" help:"Change the slug of a school, its sign-in method or the settings of its academy."`
	EntrySecret schoolEntrySecretCmd `cmd:"" name:"entry-secret" help:"Create the secret that signs entry links of a school with URL authentication, and print it. It is saved encrypted with server.secret and replaces the previous one."`
	Suspend     schoolSuspendCmd     `cmd:"" help:"Refuse the API keys, learner tokens and academy pages of a school until it is resumed."`
	Resume      schoolResumeCmd      `cmd:"" help:"End the suspension of a school."`
	Delete      schoolDeleteCmd      `cmd:"" help:"Suspend a school, then delete it with all its records and files. This takes at least 5 seconds and cannot be undone."`
}

type schoolCreateCmd struct {
	Name  string `required:"" help:"Name of the school. No other school may have it, even in a different case."`
	Auth  string `default:"preregistration" help:"How people sign in: preregistration (people are added and invited), open (anyone may register), url (links from another system) or sso (an identity provider)."`
	Owner string `placeholder:"EMAIL" help:"Email address of the owner. The owner is added as the first person of the school."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run creates a school.
func (c *schoolCreateCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "school create", func(a *app.App) error {
		auth, err := school.ParseAuthMethod(c.Auth)
		if err != nil {
			return err
		}
		s, err := a.Provision.CreateSchool(ctx, c.Name, auth, c.Owner)
		if err != nil {
			return err
		}
		t.printCreated(s, c.Owner)
		_, err = fmt.Fprintln(t.out, s.ID)
		return err
	})
}

// printCreated names the commands that give access to the new school s. The parameter owner is the
// owner's email address, or empty if the school has no owner.
func (t terminal) printCreated(s school.State, owner string) {
	_, _ = fmt.Fprintf(t.err, "Created school %q. To create an API key: %s key create --school %s\n", s.Name, t.program, s.ID)
	if owner != "" {
		_, _ = fmt.Fprintf(t.err, "To sign in to the teaching app as the owner: "+
			"%s sign-in-link --school %s --person %s --base-url URL, with the URL of the server\n", t.program, s.ID, owner)
	}
}

type schoolListCmd struct {
	Settings storeSettings `embed:"" group:"store"`
}

// Run lists the schools.
func (c *schoolListCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "school list", func(a *app.App) error {
		schools, err := a.Provision.Schools(ctx)
		if err != nil {
			return err
		}
		return table(t.out, "ID\tNAME\tSLUG\tAUTHENTICATION\tCREATED\tSUSPENDED", schools, func(one school.School) string {
			s := one.State()
			var suspended *time.Time
			if !s.SuspendedAt.IsZero() {
				suspended = &s.SuspendedAt
			}
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", s.ID, s.Name, s.Slug, s.Auth, formatTime(&s.CreatedAt), formatTime(suspended))
		})
	})
}

// table writes head and one line for each row, in aligned columns. In head and in the results of
// line, tabs separate the columns.
func table[T any](w io.Writer, head string, rows []T, line func(T) string) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, head) // Flush returns the error of a write
	for _, row := range rows {
		_, _ = fmt.Fprintln(tw, line(row))
	}
	return tw.Flush()
}

// formatTime returns at in RFC 3339 and UTC, or a dash if at is nil.
func formatTime(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.UTC().Format(time.RFC3339)
}
