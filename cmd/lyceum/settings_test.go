package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi/transport"
	"lyceum/cmd/server"
)

// settings returns what serve makes of its settings.
func settings(env environment, args ...string) (server.Config, error) {
	var g grammar
	parser, err := newParser(&g, env.lookup)
	if err != nil {
		return server.Config{}, err
	}
	if _, err := parser.Parse(append([]string{"serve"}, args...)); err != nil {
		return server.Config{}, err
	}
	return g.Serve.config(io.Discard)
}

func TestDefaults(t *testing.T) {
	is := is.New(t)
	cfg, err := settings(nil)
	is.NoErr(err)
	want := server.Defaults()
	is.Equal(cfg.Store, want.Store)
	is.Equal(cfg.Transport, want.Transport)
	is.Equal(cfg.Links, want.Links)
	is.Equal(cfg.Reference, want.Reference)
	is.Equal(cfg.Mail, want.Mail)
	is.Equal(cfg.Worker, want.Worker)
	is.Equal(cfg.Postgres.MaxConns, 12)
	is.Equal(cfg.Postgres.StatementTimeout, 15*time.Second)
	is.Equal(cfg.Postgres.DialTimeout, 5*time.Second)
	is.True(!cfg.Postgres.MigrateAtStart)
	is.True(!cfg.Log.Enabled(t.Context(), slog.LevelDebug))
}

// show writes what a setting has become in a configuration.
func show(setting string, cfg server.Config) string {
	switch setting {
	case "addr":
		return cfg.Transport.Addr
	case "tls.mode":
		return string(cfg.Transport.Mode)
	case "tls.cert":
		return cfg.Transport.CertFile
	case "tls.key":
		return cfg.Transport.KeyFile
	case "trusted-proxies":
		return fmt.Sprint(cfg.Transport.Proxies)
	case "base-url":
		return cfg.Links.Base
	case "app-url":
		return cfg.Links.App
	case "academy-url":
		return cfg.Links.Academy
	case "download-url":
		return cfg.Links.Download
	case "docs":
		return fmt.Sprint(cfg.Reference)
	case "store":
		return string(cfg.Store)
	case "database.url", "database.url-file":
		return cfg.Postgres.DSN
	case "database.pool-size":
		return fmt.Sprint(cfg.Postgres.MaxConns)
	case "database.statement-timeout":
		return cfg.Postgres.StatementTimeout.String()
	case "database.connect-timeout":
		return cfg.Postgres.DialTimeout.String()
	case "migrate":
		return fmt.Sprint(cfg.Postgres.MigrateAtStart)
	case "files.dir":
		return cfg.Files.Dir
	case "files.secret", "files.secret-file":
		return cfg.Files.Secret
	case "mail.mode":
		return string(cfg.Mail.Mode)
	case "mail.from":
		return cfg.Mail.From
	case "mail.host":
		return cfg.Mail.Host
	case "mail.port":
		return fmt.Sprint(cfg.Mail.Port)
	case "mail.username":
		return cfg.Mail.Username
	case "mail.password", "mail.password-file":
		return cfg.Mail.Password
	case "mail.tls":
		return string(cfg.Mail.TLS)
	case "mail.helo":
		return cfg.Mail.HELO
	case "mail.timeout":
		return cfg.Mail.Timeout.String()
	case "worker.count":
		return fmt.Sprint(cfg.Worker.Count)
	case "worker.poll":
		return cfg.Worker.Poll.String()
	case "log.level":
		return fmt.Sprint(cfg.Log.Enabled(context.Background(), slog.LevelDebug), cfg.Log.Enabled(context.Background(), slog.LevelWarn))
	case "log.format":
		return fmt.Sprintf("%T", cfg.Log.Handler())
	case "shutdown.timeout":
		return cfg.Transport.ShutdownTimeout.String()
	case "shutdown.delay":
		return cfg.Transport.ShutdownDelay.String()
	}
	return "no such setting"
}

// Every setting comes from the flag, else from the environment, else from the
// file, else it has its default.
func TestWhereASettingComesFrom(t *testing.T) {
	secrets := []string{write(t, "a", "postgres://a\n"), write(t, "b", "postgres://b"), write(t, "c", "postgres://c")}
	long := func(s string) string { return strings.Repeat(s, files.MinSecret) }
	signing := []string{write(t, "d", long("a")), write(t, "e", long("b")+"\n"), write(t, "f", long("c"))}
	smtp := []string{"--mail.mode=smtp", "--mail.from=a@b.test", "--mail.host=h"}
	tests := []struct {
		setting string
		given   [3]string // in the flag, the environment, the file
		shown   [3]string // the same as it is shown
		with    []string  // flags without which it would be refused
	}{
		{"addr", [3]string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}, [3]string{}, nil},
		{"tls.mode", [3]string{"insecure", "self-signed", "insecure"}, [3]string{}, nil},
		{"tls.cert", [3]string{"a", "b", "c"}, [3]string{}, []string{"--tls.mode=files", "--tls.key=k"}},
		{"tls.key", [3]string{"a", "b", "c"}, [3]string{}, []string{"--tls.mode=files", "--tls.cert=c"}},
		{
			"trusted-proxies",
			[3]string{"10.0.0.1", "10.1.2.3/8,::1", "[192.0.2.1, 2001:db8::/32]"},
			[3]string{"[10.0.0.1/32]", "[10.0.0.0/8 ::1/128]", "[192.0.2.1/32 2001:db8::/32]"},
			[]string{"--tls.mode=proxy"},
		},
		{"base-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"app-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"academy-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"download-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"docs", [3]string{"false", "true", "false"}, [3]string{}, nil},
		{"store", [3]string{"postgres", "memory", "postgres"}, [3]string{}, []string{"--database.url=x"}},
		{"database.url", [3]string{"a", "b", "c"}, [3]string{}, nil},
		{"database.url-file", [3]string(secrets), [3]string{"postgres://a", "postgres://b", "postgres://c"}, nil},
		{"database.pool-size", [3]string{"1", "2", "3"}, [3]string{}, nil},
		{"database.statement-timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"database.connect-timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"migrate", [3]string{"true", "false", "true"}, [3]string{}, nil},
		{"files.dir", [3]string{"a", "b", "c"}, [3]string{}, nil},
		{"files.secret", [3]string{long("a"), long("b"), long("c")}, [3]string{}, nil},
		{"files.secret-file", [3]string(signing), [3]string{long("a"), long("b"), long("c")}, nil},
		{"mail.mode", [3]string{"smtp", "log", "smtp"}, [3]string{}, smtp[1:]},
		{"mail.from", [3]string{"a@b.test", "B <b@b.test>", "c@b.test"}, [3]string{}, []string{"--mail.mode=smtp", "--mail.host=h"}},
		{"mail.host", [3]string{"a", "b", "c"}, [3]string{}, []string{"--mail.mode=smtp", "--mail.from=a@b.test"}},
		{"mail.port", [3]string{"1", "2", "3"}, [3]string{}, nil},
		{"mail.username", [3]string{"a", "b", "c"}, [3]string{}, append(smtp, "--mail.password=p")},
		{"mail.password", [3]string{"a", "b", "c"}, [3]string{}, append(smtp, "--mail.username=u")},
		{"mail.password-file", [3]string(secrets), [3]string{"postgres://a", "postgres://b", "postgres://c"}, append(smtp, "--mail.username=u")},
		{"mail.tls", [3]string{"none", "implicit", "opportunistic"}, [3]string{}, smtp},
		{"mail.helo", [3]string{"a", "b", "c"}, [3]string{}, smtp},
		{"mail.timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"worker.count", [3]string{"1", "0", "3"}, [3]string{}, nil},
		{"worker.poll", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"log.level", [3]string{"debug", "error", "warn"}, [3]string{"true true", "false false", "false true"}, nil},
		{"log.format", [3]string{"json", "text", "json"}, [3]string{"*slog.JSONHandler", "*slog.TextHandler", "*slog.JSONHandler"}, nil},
		{"shutdown.timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"shutdown.delay", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.setting, func(t *testing.T) {
			is := is.New(t)
			if tt.shown[0] == "" {
				tt.shown = tt.given
			}
			file := "--config=" + write(t, "lyceum.yaml", yamlOf(tt.setting, tt.given[2]))
			env := environment{variable(tt.setting): tt.given[1]}
			flag := "--" + tt.setting + "=" + tt.given[0]
			for _, from := range []struct {
				where string
				env   environment
				args  []string
				want  string
			}{
				{"flag over all", env, []string{file, flag}, tt.shown[0]},
				{"flag over file", nil, []string{file, flag}, tt.shown[0]},
				{"flag", nil, []string{flag}, tt.shown[0]},
				{"environment over file", env, []string{file}, tt.shown[1]},
				{"environment", env, nil, tt.shown[1]},
				{"file", nil, []string{file}, tt.shown[2]},
				{"file, the variable is blank", environment{variable(tt.setting): ""}, []string{file}, tt.shown[2]},
			} {
				cfg, err := settings(from.env, append(from.args, tt.with...)...)
				is.NoErr(err)
				is.Equal(from.where+" "+show(tt.setting, cfg), from.where+" "+from.want)
			}
		})
	}
	t.Run("all of them", func(t *testing.T) {
		is := is.New(t)
		tried := map[string]bool{}
		for _, tt := range tests {
			tried[tt.setting] = true
		}
		for _, s := range allSettings(t) {
			is.True(tried[s.name] || s.name == configFlag) // every setting is tried above
		}
	})
}

// yamlOf writes one setting as a YAML file, below the names before its dots.
func yamlOf(setting, value string) string {
	var b strings.Builder
	names := strings.Split(setting, ".")
	for depth, name := range names {
		b.WriteString(strings.Repeat("  ", depth) + name + ":")
		if depth < len(names)-1 {
			b.WriteString("\n")
		}
	}
	return b.String() + " " + value + "\n"
}

func TestTheFileCanBeNamedByTheEnvironment(t *testing.T) {
	is := is.New(t)
	inEnv, inFlag := write(t, "a.yaml", "addr: 127.0.0.1:1"), write(t, "b.yaml", "addr: 127.0.0.1:2")
	cfg, err := settings(environment{"LYCEUM_CONFIG": inEnv})
	is.NoErr(err)
	is.Equal(cfg.Transport.Addr, "127.0.0.1:1")
	cfg, err = settings(environment{"LYCEUM_CONFIG": inEnv}, "--config="+inFlag)
	is.NoErr(err)
	is.Equal(cfg.Transport.Addr, "127.0.0.1:2")
}

// Older YAML takes the bare word off for false.
func TestTheFileMayTurnTLSOff(t *testing.T) {
	is := is.New(t)
	cfg, err := settings(nil, "--config="+write(t, "a.yaml", "tls: {mode: off}"))
	is.NoErr(err)
	is.Equal(cfg.Transport.Mode, transport.Off)
}

// Beside a database files outlast the process, beside the store in memory they
// end with it, unless a folder is given.
func TestWhereFilesAreKept(t *testing.T) {
	for args, want := range map[string]string{
		"": "", "--files.dir=/a": "/a",
		"--store=postgres --database.url=x":                "lyceum-files",
		"--store=postgres --database.url=x --files.dir=/a": "/a",
	} {
		t.Run(args, func(t *testing.T) {
			is := is.New(t)
			cfg, err := settings(nil, strings.Fields(args)...)
			is.NoErr(err)
			is.Equal(cfg.Files.Dir, want)
		})
	}
}

func TestMigrateIsAFlagWithoutAValue(t *testing.T) {
	is := is.New(t)
	cfg, err := settings(nil, "--migrate", "--addr=127.0.0.1:1")
	is.NoErr(err)
	is.True(cfg.Postgres.MigrateAtStart)
	is.Equal(cfg.Transport.Addr, "127.0.0.1:1")
}

func TestProxiesAreRangesOrAddresses(t *testing.T) {
	is := is.New(t)
	cfg, err := settings(nil, "--tls.mode=proxy", "--trusted-proxies", " ::ffff:10.0.0.1 , 10.9.8.7/16,")
	is.NoErr(err)
	is.Equal(cfg.Transport.Proxies, []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32"), netip.MustParsePrefix("10.9.0.0/16")})
}

// An operator learns of all mistakes at once, each by the setting's name.
func TestWhatIsWrongWithSettings(t *testing.T) {
	empty, file := write(t, "empty", "\n"), write(t, "dsn", "postgres://x")
	tests := []struct {
		name string
		env  environment
		args []string
		want []string
	}{
		{
			"from every source at once",
			environment{"LYCEUM_LOG_LEVEL": "loud", "LYCEUM_SHUTDOWN_TIMEOUT": "soon", "LYCEUM_MIGRATE": "maybe", "LYCEUM_DOCS": "perhaps"},
			[]string{
				"--store=disk", "--tls.mode=on", "--log.format=xml", "--shutdown.delay=-1s", "--base-url=school",
				"--database.pool-size=0", "--database.statement-timeout=0s", "--database.connect-timeout=x", "--trusted-proxies=proxy",
			},
			[]string{
				`trusted-proxies: "proxy" is neither an IP address nor a range such as 10.0.0.0/8`,
				`docs: "perhaps" is neither true nor false`,
				`database.pool-size: "0" is not a positive whole number`,
				`database.statement-timeout: must be above 0`,
				`database.connect-timeout: "x" is not a duration such as 10s`,
				`migrate: "maybe" is neither true nor false`,
				`log.level: "loud" is not one of debug, info, warn, error`,
				`log.format: "xml" is not one of text, json`,
				`shutdown.timeout: "soon" is not a duration such as 10s`,
				`store: "disk" is not one of memory, postgres`,
				`base-url: must be absolute, such as https://school.example`,
				`tls.mode: "on" is not one of off, self-signed, files, proxy, insecure`,
				`trusted-proxies: is only for tls.mode proxy, not on`,
				`shutdown.delay: must not be negative`,
			},
		},
		{"no database", nil, []string{"--store=postgres"}, []string{"database.url: is missing, store postgres needs it"}},
		{
			"the database twice", nil,
			[]string{"--database.url=x", "--database.url-file=" + file},
			[]string{"database.url-file: stands beside database.url; give one of them"},
		},
		{
			"files", nil,
			[]string{"--files.secret=short", "--files.secret-file=" + file},
			[]string{"files.secret-file: stands beside files.secret; give one of them", "files.secret: must have at least 32 characters"},
		},
		{
			"a file for the signing that is empty", nil,
			[]string{"--files.secret-file=" + empty},
			[]string{"files.secret-file: " + empty + " is empty"},
		},
		{
			"a database file that is empty", nil,
			[]string{"--store=postgres", "--database.url-file=" + empty},
			[]string{"database.url-file: " + empty + " is empty"},
		},
		{
			"a database file that is not there", nil,
			[]string{"--store=postgres", "--database.url-file=/none"},
			[]string{"database.url-file: open /none: no such file or directory"},
		},
		{
			"mail",
			environment{"LYCEUM_MAIL_PASSWORD": "hunter2"},
			[]string{
				"--mail.mode=smtp", "--mail.from=nobody", "--mail.port=x", "--mail.tls=on", "--mail.helo=a b", "--mail.timeout=0s",
				"--worker.count=-1", "--worker.poll=0s",
			},
			[]string{
				`mail.port: "x" is not a positive whole number`,
				`mail.timeout: must be above 0`,
				`worker.count: "-1" is not a positive whole number`,
				`worker.poll: must be above 0`,
				`mail.from: "nobody" is not an address such as no-reply@school.example`,
				`mail.host: is missing, mail.mode smtp needs it`,
				`mail.tls: "on" is not one of mandatory, opportunistic, implicit, none`,
				`mail.helo: "a b" is not the name of a host`,
				`mail.username: is missing, mail.password needs it`,
			},
		},
		{
			"the password twice", nil,
			[]string{"--mail.password=x", "--mail.password-file=" + file},
			[]string{"mail.password-file: stands beside mail.password; give one of them"},
		},
		{
			"bases of links", nil,
			[]string{"--base-url=ftp://a", "--app-url=http://a?b", "--academy-url=http://u:p@a", "--download-url=http://a b"},
			[]string{
				"base-url: must be absolute, such as https://school.example",
				"app-url: must have no user, query or fragment",
				"academy-url: must have no user, query or fragment",
				"download-url: is not an address",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, stdout, stderr := lyceum(t, tt.env, append([]string{"serve"}, tt.args...)...)
			is.Equal(code, 1)
			is.Equal(stdout, "")
			want := "lyceum: " + strings.Join(tt.want, "\nlyceum: ") + "\n"
			is.Equal(stderr, want)
		})
	}
}

func TestWhatIsWrongWithTheFile(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // with FILE for the file's name
	}{
		{
			"keys that do not exist", "adr: x\ntls:\n  mod: x\n  mode: off\nschool: x\n",
			"lyceum: FILE: unknown key \"adr\"\nlyceum: FILE: unknown key \"school\"\nlyceum: FILE: unknown key \"tls.mod\"\n",
		},
		{"a command's own flag", "demo: true\n", "lyceum: FILE: unknown key \"demo\"\n"},
		{"another file", "config: x\n", "lyceum: FILE: unknown key \"config\"\n"},
		{"a value where keys stand", "tls: files\n", "lyceum: FILE: unknown key \"tls\"\n"},
		{"keys where a value stands", "trusted-proxies:\n  - {a: b}\n", "lyceum: FILE: trusted-proxies: is no plain value\n"},
		{"a key twice", "addr: x\naddr: y\n", "lyceum: FILE: [2:1] mapping key \"addr\" already defined at [1:1]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			name := write(t, "lyceum.yaml", tt.text)
			code, _, stderr := lyceum(t, environment{"LYCEUM_CONFIG": name}, "serve")
			is.Equal(code, 1)
			is.Equal(stderr, strings.ReplaceAll(tt.want, "FILE", name))
		})
	}
	t.Run("no file", func(t *testing.T) {
		is := is.New(t)
		code, _, stderr := lyceum(t, nil, "serve", "--config=/none.yaml")
		is.Equal(code, 1)
		is.Equal(stderr, "lyceum: config: open /none.yaml: no such file or directory\n")
	})
	t.Run("no YAML", func(t *testing.T) {
		is := is.New(t)
		name := write(t, "lyceum.yaml", "a: [b\n")
		code, _, stderr := lyceum(t, nil, "serve", "--config="+name)
		is.Equal(code, 1)
		is.True(strings.HasPrefix(stderr, "lyceum: "+name+": [1:"))
	})
	t.Run("a command takes what it needs and leaves the rest", func(t *testing.T) {
		is := is.New(t)
		name := write(t, "lyceum.yaml", "store: memory\naddr: 127.0.0.1:1\ntls: {mode: off}\nlog: {level: info}\n")
		_, _, stderr := lyceum(t, nil, "school", "list", "--config="+name)
		is.Equal(stderr, "lyceum: school list: needs --store postgres, nothing is kept on the store memory\n")
	})
}

func TestASecretIsNotShown(t *testing.T) {
	is := is.New(t)
	s := Secret("hunter2")
	held := struct{ URL Secret }{s}
	var log output
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "url", s, "held", held)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "url", s, "held", held)
	shown := fmt.Sprintf("%v %+v %#v %s %q %x", s, held, held, s, s, s) + log.String()
	is.True(!strings.Contains(shown, "hunter2"))
	is.True(!strings.Contains(shown, fmt.Sprintf("%x", "hunter2")))
	is.Equal(s.String(), "[secret]")
	is.Equal(Secret("").String(), "")
	is.Equal(s.Reveal(), "hunter2")
}
