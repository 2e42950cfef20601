package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"lyceum/app"
	"lyceum/app/transfer"
)

type importCmd struct {
	File   string `arg:"" placeholder:"FILE" help:"File to read: what export has written, or people as CSV. - is standard input."`
	School string `xor:"into" required:"" placeholder:"ID|NAME" help:"School to import into. What it has not is made, what may be changed is made as the file says; nothing is removed."`
	Create bool   `xor:"into" required:"" help:"Make the school that the file tells of. There must be none of its name."`
	Format string `default:"auto" enum:"auto,jsonl,csv" help:"What the file is: jsonl, csv, or auto (csv when its name ends so)."`
	DryRun bool   `help:"Only tell what would be done."`
	Invite bool   `help:"Invite the people whom a CSV file adds."`

	Settings storeSettings  `embed:"" group:"store"`
	Quotas   quotaSettings  `embed:"" prefix:"quotas." group:"quotas"`
	Files    folderSettings `embed:"" prefix:"files." group:"store"`
}

// Run imports the file and tells what has become of its lines.
func (c *importCmd) Run(ctx context.Context, t terminal) error {
	people := c.Format == "csv" || c.Format == "auto" && strings.HasSuffix(strings.ToLower(c.File), ".csv")
	switch {
	case people && c.Create:
		return errors.New("import --create: a CSV file tells of no school")
	case c.Invite && !people:
		return errors.New("import --invite: is for CSV files only")
	}
	var r reading
	var quotas app.Quotas
	c.Quotas.read(&r, &quotas)
	if err := errors.Join(r.errs...); err != nil {
		return err
	}
	open, forget, err := c.source()
	if err != nil {
		return err
	}
	defer forget()
	return c.Settings.withFiles(ctx, "import", c.Files, func(a *app.App) error {
		a.SetQuotas(quotas)
		bar := newBar(t, -1, "checked")
		im := transfer.Import{Open: open, DryRun: c.DryRun, Told: bar.lines}
		done, err := c.bring(ctx, a, im, people)
		bar.end()
		if err != nil {
			return err
		}
		return c.tell(t, done)
	})
}

func (c *importCmd) bring(ctx context.Context, a *app.App, im transfer.Import, people bool) (transfer.Imported, error) {
	if c.Create {
		return a.Transfers.ImportNew(ctx, im)
	}
	s, err := a.Provision.School(ctx, c.School)
	if err != nil {
		return transfer.Imported{}, err
	}
	if people {
		return a.Transfers.ImportPeople(ctx, app.System(s.State().ID), im, c.Invite)
	}
	return a.Transfers.Import(ctx, app.System(s.State().ID), im)
}

// tell writes a table of what has become of the lines. The id of a school that
// was made goes to standard output.
func (c *importCmd) tell(t terminal, done transfer.Imported) error {
	err := table(t.err, "KIND\tCREATED\tCHANGED\tUNCHANGED", done.Kinds, func(k transfer.ImportedKind) string {
		return fmt.Sprintf("%s\t%d\t%d\t%d", k.Kind, k.Created, k.Changed, k.Unchanged)
	})
	switch {
	case err != nil:
		return err
	case c.DryRun:
		_, err = fmt.Fprintln(t.err, "A dry run: nothing is changed.")
	case c.Create:
		_, _ = fmt.Fprintf(t.err, "School %q made. A key for it: lyceum key create --school %s\n", done.School.Name, done.School.ID)
		_, err = fmt.Fprintln(t.out, done.School.ID)
	}
	return err
}

// source returns how to open the file, which is read more than once; standard
// input is copied for that, until forget.
func (c *importCmd) source() (open func() (io.ReadCloser, error), forget func(), err error) {
	name, forget := c.File, func() {}
	if name == "-" {
		name, err = spool(os.Stdin)
		forget = func() { _ = os.Remove(name) } // a copy that stays is only in the way
	} else {
		_, err = os.Stat(name)
	}
	if err != nil {
		return nil, forget, fmt.Errorf("import: %w", err)
	}
	return func() (io.ReadCloser, error) { return os.Open(name) }, forget, nil
}

// spool copies r into a file of its own.
func spool(r io.Reader) (string, error) {
	f, err := os.CreateTemp("", "lyceum-import-*")
	if err != nil {
		return "", err
	}
	if _, err := io.Copy(f, r); err != nil {
		return "", errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f.Name(), f.Close()
}
