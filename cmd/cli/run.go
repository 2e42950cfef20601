package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/fault"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2   // invalid command line
	exitSignal = 130 // ended by SIGINT or SIGTERM
)

// terminal contains the streams and the environment of a command. It reads answers from in and
// writes results to out and everything else to err, so that out can be piped.
type terminal struct {
	program   string // name of the program in messages and help; blank: lyceum
	in        io.Reader
	out, err  io.Writer
	environ   []string // variables of the environment, name=value
	extension server.Extension
}

type cli struct {
	Version kong.VersionFlag `help:"Print the version." short:"v"`

	Config string `help:"YAML settings file. Flags and environment variables take precedence over it." placeholder:"FILE"`

	StrictEnv bool `help:"Refuse unknown LYCEUM_ environment variables. Otherwise they cause a warning."`

	Serve       serveCmd       `cmd:"" help:"Run the server."`
	Migrate     migrateCmd     `cmd:"" help:"Apply pending database migrations."`
	School      schoolCmd      `cmd:"" help:"Create, list, rename, update, suspend, resume or delete schools."`
	Key         keyCmd         `cmd:"" help:"Create, list or revoke API keys."`
	SignInLink  signInLinkCmd  `cmd:"" name:"sign-in-link" help:"Create a one-time link that signs a person in to the teaching app or the academy, and print it."`
	Jobs        jobsCmd        `cmd:"" help:"List or retry background jobs: invitation emails, file cleanup, bulk requests, course removals and sign-in emails."`
	Audit       auditCmd       `cmd:"" help:"Print the audit trail of a school, or delete expired audit events."`
	Reconcile   reconcileCmd   `cmd:"" help:"Recompute counts, scores and progress from the source records, and fix discrepancies."`
	Demo        demoCmd        `cmd:"" help:"Fill a school with generated data, on PostgreSQL. To try a demo school in memory, run serve --demo."`
	Export      exportCmd      `cmd:"" help:"Export a school as JSON Lines, or its people as CSV."`
	Import      importCmd      `cmd:"" help:"Import a school export, or people from CSV."`
	ConfigCmd   configCmd      `cmd:"" name:"config" help:"Print the settings in effect, a sample settings file or its JSON Schema."`
	Doctor      doctorCmd      `cmd:"" help:"Check that the settings work: the database, the mail server, the file directory, the certificate, the addresses and the clock."`
	Healthcheck healthcheckCmd `cmd:"" help:"Exit with status 0 if the server is ready, 1 if it is not."`
	Completion  completionCmd  `cmd:"" help:"Print a shell completion script."`
	Complete    completeCmd    `cmd:"" name:"__complete" hidden:"" help:"Print the completions of the last word."`
	VersionCmd  versionCmd     `cmd:"" name:"version" help:"Print the version."`
}

const description = "Lyceum is an HTTP API server for online schools.\n\n" +
	"Each setting can be given as a flag, as an environment variable or in the YAML file named by --config. " +
	"A flag overrides the variable, and the variable overrides the file. " +
	"For example, --tls.mode is LYCEUM_TLS_MODE in the environment and mode under tls in the file.\n\n" +
	"To try a demo school in memory, run serve --demo. " +
	"To start on PostgreSQL, set LYCEUM_STORE=postgres and LYCEUM_DATABASE_URL, then run migrate, school create or demo, and serve. " +
	"The server has a teaching app for staff and an academy for learners, both in the browser: sign-in-link prints a link that signs a person in."

// programName returns the base name of the first element of args, without the extension .exe.
func programName(args []string) string {
	return strings.TrimSuffix(filepath.Base(args[0]), ".exe")
}

// run executes the command in args and returns its exit code. It stops when ctx ends.
func (t terminal) run(ctx context.Context, args []string, lookup func(string) (string, bool)) int {
	t.program = cmp.Or(t.program, "lyceum")
	helped := false
	args = helpArgs(args)
	var g cli
	parser, err := newParser(&g, t.program, lookup,
		kong.Writers(t.out, t.err),
		kong.Exit(func(int) { helped = true }), // kong has printed the help or the version
	)
	if err != nil {
		return t.fail(err, exitFailed)
	}
	command, err := parser.Parse(args)
	if helped {
		return exitOK
	}
	if err != nil {
		return t.refuse(err)
	}
	if err := t.checkVariables(parser.Model, g.StrictEnv); err != nil {
		return t.fail(err, exitUsage)
	}
	t.warnAboutSecrets(command)
	command.BindTo(app.AsOperator(ctx), (*context.Context)(nil))
	command.Bind(parser.Model, command)
	if err := command.Run(t); err != nil {
		if ctx.Err() != nil {
			return t.interrupted(command)
		}
		return t.fail(err, exitFailed)
	}
	return exitOK
}

// nothingChanged is the message of an interrupted command that has changed nothing.
const nothingChanged = "nothing was changed"

// interrupted prints which changes remain after a signal has ended a command, and returns the exit
// code.
func (t terminal) interrupted(command *kong.Context) int {
	left := nothingChanged
	if c, ok := command.Selected().Target.Addr().Interface().(interface{ interrupted() string }); ok {
		left = c.interrupted()
	}
	_, _ = fmt.Fprintln(t.err, t.program+": interrupted: "+left)
	return exitSignal
}

// helpArgs returns args in which the command help is replaced with the flag --help. Without args,
// it returns --help.
func helpArgs(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(args[1:len(args):len(args)], "--help")
	}
	return args
}

func newParser(g *cli, program string, lookup func(string) (string, bool), options ...kong.Option) (*kong.Kong, error) {
	s := &sources{lookup: lookup}
	return kong.New(g, append([]kong.Option{
		kong.Name(program),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}),
		kong.Help(printHelp),
		kong.ValueFormatter(withVariable),
		kong.ExplicitGroups(settingGroups),
		kong.Resolvers(s),
		kong.Bind(s),
		defaults(),
		kong.Vars{"version": buildInfo(program), "program": program},
	}, options...)...)
}

// printHelp writes the help of kong. Kong lists required flags that exclude each other as if all
// were required; the usage shows them as alternatives.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	out := ctx.Stdout
	var help strings.Builder
	ctx.Stdout = &help
	err := kong.DefaultHelpPrinter(options, ctx)
	ctx.Stdout = out
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, strings.Replace(help.String(), "--school=ID|NAME --create", "(--school=ID|NAME | --create)", 1))
	return err
}

// warnAboutSecrets warns about secrets in flags, which every user of the machine can read.
func (t terminal) warnAboutSecrets(command *kong.Context) {
	for _, p := range command.Path {
		if p.Flag == nil || p.Resolved {
			continue
		}
		if s, ok := command.FlagValue(p.Flag).(Secret); ok && (p.Flag.Name != "database.url" || s.hasPassword()) {
			_, _ = fmt.Fprintf(t.err, "%s: warning: every user of this machine can read --%s in the list of processes; use $%s or --%s-file\n",
				t.program, p.Flag.Name, variable(p.Flag.Name), p.Flag.Name)
		}
	}
}

// refuse prints why the command line or the settings are invalid, and returns the exit code.
func (t terminal) refuse(err error) int {
	var file *fileError
	if errors.As(err, &file) {
		return t.fail(file, exitFailed)
	}
	return t.fail(fmt.Errorf("%w (see %s --help)", err, t.program), exitUsage)
}

// fail writes err, each joined error on its own line, and returns code.
func (t terminal) fail(err error, code int) int {
	for line := range strings.SplitSeq(explain(err), "\n") {
		_, _ = fmt.Fprintln(t.err, t.program+": "+line)
	}
	return code
}

// explain returns the text of err for operators. For faults, that is the field and the detail.
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
