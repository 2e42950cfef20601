package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
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

// terminal contains the streams of a command. It reads answers from in and writes results to out
// and everything else to err, so that out can be piped.
type terminal struct {
	in        io.Reader
	out, err  io.Writer
	extension server.Extension
}

type cli struct {
	Version kong.VersionFlag `help:"Print the version." short:"v"`

	Config string `help:"YAML settings file. Flags and environment variables take precedence over it." placeholder:"FILE"`

	Serve       serveCmd       `cmd:"" help:"Run the server."`
	Migrate     migrateCmd     `cmd:"" help:"Apply pending database migrations."`
	School      schoolCmd      `cmd:"" help:"Create, list, rename, suspend, resume or delete schools."`
	Key         keyCmd         `cmd:"" help:"Create, list or revoke API keys."`
	Jobs        jobsCmd        `cmd:"" help:"List or retry background jobs: invitation emails, file cleanup, bulk requests and course removals."`
	Reconcile   reconcileCmd   `cmd:"" help:"Recompute counts, scores and progress from the source records, and fix discrepancies."`
	Demo        demoCmd        `cmd:"" help:"Fill a school with generated data."`
	Export      exportCmd      `cmd:"" help:"Export a school as JSON Lines, or its people as CSV."`
	Import      importCmd      `cmd:"" help:"Import a school export, or people from CSV."`
	Healthcheck healthcheckCmd `cmd:"" help:"Exit with status 0 if the server is ready, 1 if it is not."`
	Completion  completionCmd  `cmd:"" help:"Print a shell completion script."`
	Complete    completeCmd    `cmd:"" name:"__complete" hidden:"" help:"Print the completions of the last word."`
	VersionCmd  versionCmd     `cmd:"" name:"version" help:"Print the version."`
}

const description = "Lyceum is an HTTP API server for online schools.\n\n" +
	"Each setting can be given as a flag, as an environment variable or in the YAML file named by --config. " +
	"A flag overrides the variable, and the variable overrides the file. " +
	"For example, --tls.mode is LYCEUM_TLS_MODE in the environment and mode under tls in the file."

// run executes the command in args and returns its exit code. It stops when ctx ends.
func (t terminal) run(ctx context.Context, args []string, lookup func(string) (string, bool)) int {
	helped := false
	args = helpArgs(args)
	var g cli
	parser, err := newParser(&g, lookup,
		kong.Writers(t.out, t.err),
		kong.Exit(func(int) { helped = true }), // --help or --version was printed
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
	t.warnAboutSecrets(command)
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(parser.Model)
	if err := command.Run(t); err != nil {
		if ctx.Err() != nil {
			return t.interrupted(command)
		}
		return t.fail(err, exitFailed)
	}
	return exitOK
}

// interrupted prints which changes remain after a signal has ended a command, and returns the exit
// code.
func (t terminal) interrupted(command *kong.Context) int {
	left := "nothing was changed"
	if c, ok := command.Selected().Target.Addr().Interface().(interface{ interrupted() string }); ok {
		left = c.interrupted()
	}
	_, _ = fmt.Fprintln(t.err, "lyceum: interrupted: "+left)
	return exitSignal
}

// helpArgs returns args with --help instead of the command help, and with --help if there is no
// command.
func helpArgs(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(args[1:len(args):len(args)], "--help")
	}
	return args
}

func newParser(g *cli, lookup func(string) (string, bool), options ...kong.Option) (*kong.Kong, error) {
	return kong.New(g, append([]kong.Option{
		kong.Name("lyceum"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}),
		kong.Help(printHelp),
		kong.ValueFormatter(withVariable),
		kong.ExplicitGroups(settingGroups),
		kong.Resolvers(&sources{lookup: lookup}),
		defaults(),
		kong.Vars{"version": buildInfo()},
	}, options...)...)
}

// printHelp writes the help of kong. Kong lists required flags that exclude each other as if all were
// required; the usage shows them as alternatives.
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
			_, _ = fmt.Fprintf(t.err, "lyceum: warning: every user of this machine can read --%s in the list of processes; use $%s or --%s-file\n",
				p.Flag.Name, variable(p.Flag.Name), p.Flag.Name)
		}
	}
}

// refuse prints why the command line or the settings are invalid, and returns the exit code.
func (t terminal) refuse(err error) int {
	var file *fileError
	if errors.As(err, &file) {
		return t.fail(file, exitFailed)
	}
	return t.fail(fmt.Errorf("%w (see lyceum --help)", err), exitUsage)
}

// fail writes err, each joined error on its own line, and returns code.
func (t terminal) fail(err error, code int) int {
	for line := range strings.SplitSeq(explain(err), "\n") {
		_, _ = fmt.Fprintln(t.err, "lyceum: "+line)
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
