package cli

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
	File     string `arg:"" placeholder:"FILE" help:"File to import: a school export, or people as CSV. Use - for standard input."`
	School   string `xor:"into" required:"" placeholder:"ID|NAME" help:"Import into this existing school: create missing records and update existing ones. Nothing is deleted. Cannot be combined with --create."`
	Create   bool   `xor:"into" required:"" help:"Create the school that the file describes. Fails if a school with its name exists. Cannot be combined with --school."`
	Format   string `default:"auto" enum:"auto,jsonl,csv" help:"Input format: jsonl, csv, or auto (csv if the file name ends in .csv, otherwise jsonl)."`
	DryRun   bool   `help:"Report what would change, but change nothing."`
	Policies string `default:"default" enum:"default,ask,skip" help:"Which rules are checked for each line: ask (all rules of this server), skip (only the quotas) or default (ask with --school; skip with --create, so that a backup can be restored after the rules have changed)."`
	Invite   bool   `help:"Send an invitation email to each person added from a CSV file."`

	Settings storeSettings  `embed:"" group:"store"`
	Quotas   quotaSettings  `embed:"" prefix:"quotas." group:"quotas"`
	Files    folderSettings `embed:"" prefix:"files." group:"store"`
}

// policies contains the values of --policies.
var policies = map[string]transfer.Policies{
	"default": transfer.DefaultPolicies, "ask": transfer.AskPolicies, "skip": transfer.SkipPolicies,
}

// Run imports a file and prints a summary.
func (c *importCmd) Run(ctx context.Context, t terminal) error {
	people := c.Format == "csv" || c.Format == "auto" && strings.HasSuffix(strings.ToLower(c.File), ".csv")
	switch {
	case people && c.Create:
		return errors.New("import --create: a CSV file does not describe a school")
	case c.Invite && !people:
		return errors.New("import --invite: is allowed only for CSV files")
	}
	var r settingsParser
	var quotas app.Quotas
	c.Quotas.read(&r, &quotas)
	if err := errors.Join(r.errs...); err != nil {
		return err
	}
	open, cleanup, err := c.source(ctx, t)
	if err != nil {
		return err
	}
	defer cleanup()
	return c.Settings.withFiles(ctx, t, "import", c.Files, func(a *app.App) error {
		a.SetQuotas(quotas)
		bar := newBar(t, -1, "checked")
		im := transfer.Import{Open: open, DryRun: c.DryRun, Progress: bar.lines, Policies: policies[c.Policies]}
		done, err := c.runImport(ctx, a, im, people)
		bar.end()
		if err != nil {
			return err
		}
		return c.printSummary(t, done)
	})
}

func (c *importCmd) runImport(ctx context.Context, a *app.App, im transfer.Import, people bool) (transfer.ImportResult, error) {
	if c.Create {
		return a.Transfers.ImportNew(ctx, im)
	}
	s, err := a.Provision.School(ctx, c.School)
	if err != nil {
		return transfer.ImportResult{}, err
	}
	if people {
		return a.Transfers.ImportPeople(ctx, app.SystemActor(s.State().ID), im, c.Invite)
	}
	return a.Transfers.Import(ctx, app.SystemActor(s.State().ID), im)
}

// printSummary writes a table of the results by kind of line to standard error, and the ID of a
// created school to standard output.
func (c *importCmd) printSummary(t terminal, done transfer.ImportResult) error {
	err := table(t.err, "KIND\tCREATED\tCHANGED\tUNCHANGED", done.Kinds, func(k transfer.ImportCount) string {
		return fmt.Sprintf("%s\t%d\t%d\t%d", k.Kind, k.Created, k.Changed, k.Unchanged)
	})
	switch {
	case err != nil:
		return err
	case c.DryRun:
		_, err = fmt.Fprintln(t.err, "Dry run: nothing was changed.")
	case c.Create:
		t.printCreated(done.School, "")
		_, err = fmt.Fprintln(t.out, done.School.ID)
	}
	return err
}

// source returns a function that opens the file. An import opens it more than once, so source
// copies standard input to a temporary file, which cleanup deletes.
func (c *importCmd) source(ctx context.Context, t terminal) (open func() (io.ReadCloser, error), cleanup func(), err error) {
	name, cleanup := c.File, func() {}
	if name == "-" {
		name, err = spool(interruptible(ctx, t.in))
		cleanup = func() { _ = os.Remove(name) } // if it cannot be deleted, it does no harm
	} else {
		_, err = os.Stat(name)
	}
	if err != nil {
		return nil, cleanup, fmt.Errorf("import: %w", err)
	}
	return func() (io.ReadCloser, error) { return os.Open(name) }, cleanup, nil
}

// spool copies r to a temporary file and returns its name.
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
