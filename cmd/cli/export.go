package cli

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
	Format string `default:"jsonl" enum:"jsonl,csv" help:"Output format: jsonl (the whole school) or csv (people only)."`
	IDs    bool   `name:"ids" help:"Write the IDs of the records and the position of the change feed, for a program that continues with the feed."`
	Output string `short:"o" placeholder:"FILE" help:"Output file. An existing file is replaced when the export is complete. Defaults to standard output; - means the same."`

	Settings storeSettings  `embed:"" group:"store"`
	Files    folderSettings `embed:"" prefix:"files." group:"store"`
}

// Run exports a school to a file.
func (c *exportCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withFiles(ctx, t, "export", c.Files, func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		bar := newBar(t, -1, "lines")
		defer bar.end()
		write := func(w io.Writer) error {
			if c.Format == "csv" {
				return a.Transfers.ExportPeople(ctx, app.SystemActor(s.State().ID), w)
			}
			if c.IDs {
				return a.Transfers.ExportWithIDs(ctx, app.SystemActor(s.State().ID), w, bar.set)
			}
			return a.Transfers.Export(ctx, app.SystemActor(s.State().ID), w, bar.set)
		}
		if c.Output == "" || c.Output == "-" {
			return write(t.out)
		}
		return replaceFile("export", c.Output, write)
	})
}

// replaceFile calls write to write the file with this name. If write fails, the existing file
// remains unchanged. A device or a pipe is not replaced: write writes to it. Errors start with the
// name of the command.
func replaceFile(command, name string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		return errors.Join(write(f), f.Close())
	}
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
