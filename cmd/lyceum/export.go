package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lyceum/app"
)

type exportCmd struct {
	School string `required:"" placeholder:"ID|NAME" help:"School to export."`
	Format string `default:"jsonl" enum:"jsonl,csv" help:"What to write: jsonl (everything, as lines of JSON) or csv (the people only)."`
	Output string `short:"o" placeholder:"FILE" help:"File to write, whole or not at all. By default standard output."`

	Settings storeSettings  `embed:"" group:"store"`
	Files    folderSettings `embed:"" prefix:"files." group:"store"`
}

// Run writes the school.
func (c *exportCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withFiles(ctx, "export", c.Files, func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		bar := newBar(t, -1, "lines")
		defer bar.end()
		write := func(w io.Writer) error {
			if c.Format == "csv" {
				return a.Transfers.ExportPeople(ctx, app.System(s.State().ID), w)
			}
			return a.Transfers.Export(ctx, app.System(s.State().ID), w, bar.set)
		}
		if c.Output == "" {
			return write(t.out)
		}
		return replaceFile("export", c.Output, write)
	})
}

// replaceFile makes the file name what write writes, or leaves it as it is. Errors
// name the command.
func replaceFile(command, name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return f.Close()
}
