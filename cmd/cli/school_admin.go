package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lyceum/adapters/limiter"
	"lyceum/app"
	"lyceum/app/operator"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

type schoolRenameCmd struct {
	schoolArgument

	Name string `arg:"" optional:"" help:"New name. No other school may have it, even in a different case."`
	Yes  bool   `help:"Do not ask for confirmation."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run renames a school.
func (c *schoolRenameCmd) Run(ctx context.Context, t terminal) error {
	const command = "school rename"
	if c.Flag != "" && c.Name == "" {
		c.Argument, c.Name = "", c.Argument // the only argument is the new name
	}
	ref, err := c.school(command)
	if err != nil {
		return err
	}
	if c.Name == "" {
		return errors.New(command + ": give the new name after the school")
	}
	return c.Settings.withApp(ctx, t, command, func(a *app.App) error {
		s, err := a.Provision.School(ctx, ref)
		if err == nil {
			err = a.Provision.CheckRename(ctx, s.State().ID, c.Name)
		}
		if err != nil {
			return err
		}
		if !c.Yes {
			if err := t.confirm(ctx, command, fmt.Sprintf("Rename school %q to %q? Type yes: ", s.State().Name, c.Name), "yes"); err != nil {
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
	schoolArgument

	Settings storeSettings `embed:"" group:"store"`
}

// Run suspends a school.
func (c *schoolSuspendCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.changeSchool(ctx, t, "school suspend", c.schoolArgument, (*operator.Provision).SuspendSchool,
		"School %q is suspended. Within 5 seconds all servers refuse its API keys, learner tokens and academy pages with 403.\n")
}

type schoolResumeCmd struct {
	schoolArgument

	Settings storeSettings `embed:"" group:"store"`
}

// Run resumes a school.
func (c *schoolResumeCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.changeSchool(ctx, t, "school resume", c.schoolArgument, (*operator.Provision).ResumeSchool,
		"School %q is active. Within 5 seconds all servers accept its requests again.\n")
}

// changeSchool calls change for the school in arg and prints done, which is a format string for the
// school's name.
func (s storeSettings) changeSchool(
	ctx context.Context, t terminal, command string, arg schoolArgument,
	change func(*operator.Provision, context.Context, school.ID) (school.State, error), done string,
) error {
	ref, err := arg.school(command)
	if err != nil {
		return err
	}
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
	schoolArgument

	Yes bool `help:"Do not ask for confirmation."`

	deleting school.ID // zero: the deletion has not begun

	Settings storeSettings  `embed:"" group:"store"`
	Files    folderSettings `embed:"" prefix:"files." group:"store"`
}

func (c *schoolDeleteCmd) interrupted() string {
	if c.deleting == (school.ID{}) {
		return nothingChanged
	}
	return "some of its records may be deleted, and the school is suspended; run the command again to delete the rest, " +
		"with the ID " + c.deleting.String() + " if the school no longer exists"
}

// Run deletes a school.
func (c *schoolDeleteCmd) Run(ctx context.Context, t terminal) error {
	const command = "school delete"
	ref, err := c.school(command)
	if err != nil {
		return err
	}
	return c.Settings.withFiles(ctx, t, command, c.Files, func(a *app.App) error {
		found, err := a.Provision.School(ctx, ref)
		if id, isID := text.UUID(ref); isID && !c.Yes && fault.Is(err, fault.Invalid) {
			return c.deleteFiles(ctx, t, a, school.ID{UUID: id})
		}
		if err != nil {
			return err
		}
		s := found.State()
		if !c.Yes {
			_, _ = fmt.Fprintf(t.err, "School %q (%s) will be deleted with all its records and files. This cannot be undone.\n", s.Name, s.ID)
			if err := t.confirm(ctx, command, "Type the name of the school to delete it: ", s.Name); err != nil {
				return err
			}
		}
		c.deleting = s.ID
		if s, err = a.Provision.SuspendSchool(ctx, s.ID); err != nil {
			return err
		}
		if err := limiter.Pause(ctx, time.Until(s.SuspendedAt.Add(operator.SuspensionDelay+time.Millisecond))); err != nil {
			return err
		}
		if err := a.Provision.DeleteSchool(ctx, s.ID); err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.err, "Deleted school %q.\n", s.Name)
		return err
	})
}

// deleteFiles deletes the files that an interrupted deletion of a school has left. It always asks
// for confirmation, because the school may exist in another database.
func (c *schoolDeleteCmd) deleteFiles(ctx context.Context, t terminal, a *app.App, id school.ID) error {
	_, _ = fmt.Fprintf(t.err, "No school of this database has the ID %s. The files of a deleted school with this ID will be deleted.\n", id)
	if err := t.confirm(ctx, "school delete", "Type the ID to delete the files: ", id.String()); err != nil {
		return err
	}
	c.deleting = id
	if err := a.Provision.DeleteSchool(ctx, id); !fault.Is(err, fault.NotFound) {
		return err
	}
	_, err := fmt.Fprintf(t.err, "Deleted the files of the school %s.\n", id)
	return err
}
