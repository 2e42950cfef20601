package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	"lyceum/domain/fault"
)

// The exit codes.
const (
	exitFine   = 0
	exitFailed = 1
	exitUsage  = 2 // the command line itself cannot be understood
)

// terminal is where commands write: what was asked for to out, everything else
// to err, so that out can be piped on.
type terminal struct{ out, err io.Writer }

// grammar is the whole command line.
type grammar struct {
	Config string `help:"YAML file of settings. Flags and the environment stand above it." placeholder:"FILE"`

	Serve       serveCmd       `cmd:"" help:"Run the server."`
	Migrate     migrateCmd     `cmd:"" help:"Bring the database's schema up to date."`
	School      schoolCmd      `cmd:"" help:"Make and list schools."`
	Key         keyCmd         `cmd:"" help:"Make, list and revoke the API keys of a school."`
	Outbox      outboxCmd      `cmd:"" help:"List the letters and other work that waits, and try it again."`
	Rebuild     rebuildCmd     `cmd:"" help:"Check what a school keeps beside the facts, and set right what is wrong."`
	Demo        demoCmd        `cmd:"" help:"Fill a school with invented rows."`
	Export      exportCmd      `cmd:"" help:"Write a whole school as lines of JSON, or its people as CSV."`
	Import      importCmd      `cmd:"" help:"Bring what export has written, or people as CSV, into a school."`
	Healthcheck healthcheckCmd `cmd:"" help:"Ask the server that has these settings whether it is ready."`
	Version     versionCmd     `cmd:"" help:"Print the version."`
}

const description = "Lyceum is an HTTP API for managing online schools.\n\n" +
	"Every setting is a flag, an environment variable and a key of the YAML file that --config names; " +
	"the first of these that is set counts, then the default. " +
	"The variable of --tls.mode is LYCEUM_TLS_MODE, and the key is mode below tls."

// run does what args ask for and returns the exit code. It stops when ctx ends.
func run(ctx context.Context, args []string, lookup func(string) (string, bool), stdout, stderr io.Writer) int {
	t := terminal{out: stdout, err: stderr}
	helped := false
	var g grammar
	parser, err := newParser(&g, lookup,
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }), // --help has been answered; nothing is left to do
	)
	if err != nil {
		return t.fail(err, exitFailed)
	}
	command, err := parser.Parse(args)
	if helped {
		return exitFine
	}
	if err != nil {
		return t.refuse(err)
	}
	t.warnAboutSecrets(command)
	command.BindTo(ctx, (*context.Context)(nil))
	if err := command.Run(t); err != nil {
		return t.fail(err, exitFailed)
	}
	return exitFine
}

func newParser(g *grammar, lookup func(string) (string, bool), options ...kong.Option) (*kong.Kong, error) {
	return kong.New(g, append([]kong.Option{
		kong.Name("lyceum"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}),
		kong.ValueFormatter(withVariable),
		kong.ExplicitGroups(settingGroups),
		kong.Resolvers(&sources{lookup: lookup}),
		defaults(),
	}, options...)...)
}

// warnAboutSecrets names the secrets that the command line gives: every user of
// the machine can read them there.
func (t terminal) warnAboutSecrets(command *kong.Context) {
	for _, p := range command.Path {
		if p.Flag == nil || p.Resolved {
			continue
		}
		if s, ok := command.FlagValue(p.Flag).(Secret); ok && (p.Flag.Name != "database.url" || s.hasPassword()) {
			_, _ = fmt.Fprintf(t.err, "lyceum: warning: every user of this machine can read --%s in the list of processes; use $%s or --%s-file\n",
				p.Flag.Name, variable(p.Flag.Name), p.Flag.Name)
		}
	}
}

// refuse tells why the command line was not accepted: by its own form, or by the
// settings around it.
func (t terminal) refuse(err error) int {
	var file *fileError
	if errors.As(err, &file) {
		return t.fail(file, exitFailed)
	}
	return t.fail(fmt.Errorf("%w (see lyceum --help)", err), exitUsage)
}

// fail writes err, a line for each thing that is wrong.
func (t terminal) fail(err error, code int) int {
	for line := range strings.SplitSeq(explain(err), "\n") {
		_, _ = fmt.Fprintln(t.err, "lyceum: "+line)
	}
	return code
}

// explain returns err in an operator's words.
func explain(err error) string {
	faults := fault.All(err)
	if faults == nil {
		return err.Error()
	}
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = strings.TrimPrefix(f.Field+": "+f.Detail, ": ")
	}
	return strings.Join(lines, "\n")
}
