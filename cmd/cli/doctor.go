package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"lyceum/cmd/server"
)

// doctorTimeout is the maximum duration of one check.
const doctorTimeout = 10 * time.Second

type doctorCmd struct {
	settings
}

// Run runs the checks and prints each result in a line. It returns an error if a check failed.
func (c *doctorCmd) Run(ctx context.Context, t terminal) error {
	var r settingsParser
	cfg := c.read(&r, io.Discard)
	if err := r.with(cfg); err != nil {
		return err
	}
	cfg.Extension = t.extension
	d := diagnosis{terminal: t}
	d.ok("settings", "valid")
	for _, line := range warnings(cfg) {
		d.warn("settings", "%s", strings.TrimSuffix(line, "."))
	}
	for _, check := range []func(context.Context, *diagnosis, server.Config){
		checkDatabase, checkFolder, checkMail, checkCertificate, checkAddress, checkLinks,
	} {
		limited, cancel := context.WithTimeout(ctx, doctorTimeout)
		check(limited, &d, cfg)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if d.failed > 0 {
		return fmt.Errorf("doctor: failed checks: %d", d.failed)
	}
	return nil
}

func (c *doctorCmd) interrupted() string { return "the remaining checks were not run" }

// diagnosis prints the results of checks and counts the failed checks.
type diagnosis struct {
	terminal

	failed int
}

func (d *diagnosis) ok(subject, format string, args ...any) { d.line("ok", subject, format, args...) }

func (d *diagnosis) warn(subject, format string, args ...any) {
	d.line("warn", subject, format, args...)
}

func (d *diagnosis) failure(subject string, err error) {
	d.failed++
	d.line("FAIL", subject, "%s", strings.ReplaceAll(explain(err), "\n", "; "))
}

func (d *diagnosis) line(result, subject, format string, args ...any) {
	_, _ = fmt.Fprintf(d.out, "%-4s  %-11s  %s\n", result, subject, fmt.Sprintf(format, args...))
}

// report prints the failure of a check, or the formatted text if err is nil.
func (d *diagnosis) report(subject string, err error, format string, args ...any) {
	if err != nil {
		d.failure(subject, err)
		return
	}
	d.ok(subject, format, args...)
}
