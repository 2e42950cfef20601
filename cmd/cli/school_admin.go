package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"lyceum/app"
	"lyceum/domain/school"
)

type schoolRenameCmd struct {
	School string `arg:"" placeholder:"ID|NAME" help:"ID or name of the school to rename."`
	Name   string `arg:"" help:"New name. No other school may have it."`
	Yes    bool   `help:"Do not ask for confirmation."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run renames a school.
func (c *schoolRenameCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "school rename", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		if !c.Yes {
			if err := t.confirm("school rename", fmt.Sprintf("Rename school %q to %q? Type yes: ", s.State().Name, c.Name), "yes"); err != nil {
				return err
			}
		}
		after, err := a.Provision.RenameSchool(ctx, s.State().ID, c.Name)
		if err == nil {
			_, err = fmt.Fprintf(t.err, "Renamed school %q to %q.\n", s.State().Name, after.Name)
		}
		return err
	})
}

type schoolSuspendCmd struct {
	School string `arg:"" placeholder:"ID|NAME" help:"ID or name of the school to suspend."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run suspends a school.
func (c *schoolSuspendCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.changeSchool(ctx, t, "school suspend", c.School, (*app.Provision).SuspendSchool,
		"School %q is suspended. Within 5 seconds all servers respond to its API keys with 403.\n")
}

type schoolResumeCmd struct {
	School string `arg:"" placeholder:"ID|NAME" help:"ID or name of the school to resume."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run resumes a school.
func (c *schoolResumeCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.changeSchool(ctx, t, "school resume", c.School, (*app.Provision).ResumeSchool,
		"School %q is active. Within 5 seconds all servers accept its API keys again.\n")
}

// changeSchool calls change for the school ref and prints done, a format for the school's name.
func (s storeSettings) changeSchool(
	ctx context.Context, t terminal, command, ref string,
	change func(*app.Provision, context.Context, school.ID) (school.State, error), done string,
) error {
	return s.withApp(ctx, t, command, func(a *app.App) error {
		found, err := a.Provision.School(ctx, ref)
		if err != nil {
			return err
		}
		after, err := change(a.Provision, ctx, found.State().ID)
		if err == nil {
			_, err = fmt.Fprintf(t.err, done, after.Name)
		}
		return err
	})
}

type schoolDeleteCmd struct {
	School string `arg:"" placeholder:"ID|NAME" help:"ID or name of the school to delete."`
	Yes    bool   `help:"Do not ask for confirmation."`

	Settings storeSettings  `embed:"" group:"store"`
	Files    folderSettings `embed:"" prefix:"files." group:"store"`
}

func (c *schoolDeleteCmd) interrupted() string {
	return "some of its records may be deleted, and the school is suspended; run the command again to delete the rest"
}

// Run deletes a school.
func (c *schoolDeleteCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withFiles(ctx, t, "school delete", c.Files, func(a *app.App) error {
		found, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		s := found.State()
		if !c.Yes {
			_, _ = fmt.Fprintf(t.err, "School %q (%s) will be deleted with all its records and files. This cannot be undone.\n", s.Name, s.ID)
			if err := t.confirm("school delete", "Type the name of the school to delete it: ", s.Name); err != nil {
				return err
			}
		}
		if s, err = a.Provision.SuspendSchool(ctx, s.ID); err != nil {
			return err
		}
		if err := sleep(ctx, time.Until(s.SuspendedAt.Add(app.SuspensionDelay+time.Millisecond))); err != nil {
			return err
		}
		if err := a.Provision.DeleteSchool(ctx, s.ID); err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.err, "Deleted school %q.\n", s.Name)
		return err
	})
}

// confirm asks a question on the terminal. It returns an error unless the answer is the given one.
func (t terminal) confirm(command, question, answer string) error {
	_, _ = fmt.Fprint(t.err, question)
	lines := bufio.NewScanner(t.in)
	if !lines.Scan() {
		_, _ = fmt.Fprintln(t.err)
		return errors.Join(fmt.Errorf("%s: requires a confirmation; use --yes in scripts", command), lines.Err())
	}
	if lines.Text() != answer {
		return fmt.Errorf("%s: not confirmed; nothing was changed", command)
	}
	return nil
}

// sleep waits for d, or returns the error of ctx if ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
