package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi/transport"
	"lyceum/cmd/server"
)

// parse returns the configuration of serve for its settings.
func parse(env environment, args ...string) (server.Config, error) {
	var g cli
	parser, err := newParser(&g, "lyceum", env.lookup)
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
	cfg, err := parse(nil)
	is.NoErr(err)
	want := server.Defaults()
	is.Equal(cfg.Store, want.Store)
	is.Equal(cfg.Transport, want.Transport)
	is.Equal(cfg.Links, want.Links)
	is.Equal(cfg.Reference, want.Reference)
	is.Equal(cfg.Compression, want.Compression)
	is.Equal(cfg.Mail, want.Mail)
	is.Equal(cfg.Worker, want.Worker)
	is.Equal(cfg.Postgres.MaxConns, 12)
	is.Equal(cfg.Postgres.StatementTimeout, 15*time.Second)
	is.Equal(cfg.Postgres.DialTimeout, 5*time.Second)
	is.True(!cfg.Postgres.MigrateAtStart)
	is.True(!cfg.Log.Enabled(t.Context(), slog.LevelDebug))
}

// show returns the value of a setting in a configuration.
func show(setting string, cfg server.Config) string {
	switch setting {
	case "server.name":
		return cfg.Name
	case "addr":
		return cfg.Transport.Addr
	case "tls.mode":
		return string(cfg.Transport.Mode)
	case "tls.cert":
		return cfg.Transport.CertFile
	case "tls.key":
		return cfg.Transport.KeyFile
	case "tls.acme.hosts":
		return fmt.Sprint(cfg.Transport.ACME.Hosts)
	case "tls.acme.cache":
		return cfg.Transport.ACME.Cache
	case "tls.acme.email":
		return cfg.Transport.ACME.Email
	case "tls.acme.http-addr":
		return cfg.Transport.ACME.HTTPAddr
	case "tls.acme.directory":
		return cfg.Transport.ACME.Directory
	case "tls.acme.authority":
		return cfg.Transport.ACME.Authority
	case "trusted-proxies":
		return fmt.Sprint(cfg.Transport.Proxies)
	case "cors.origins":
		return fmt.Sprint(cfg.Origins)
	case "connections.max":
		return fmt.Sprint(cfg.Transport.MaxConnections)
	case "connections.per-network":
		return fmt.Sprint(cfg.Transport.PerNetwork)
	case "base-url":
		return cfg.Links.Base
	case "app-url":
		return cfg.Links.App
	case "academy-url":
		return cfg.Links.Academy
	case "download-url":
		return cfg.Links.Download
	case "pages.logo":
		return cfg.Look.Logo
	case "pages.color":
		return cfg.Look.Color
	case "pages.templates":
		return cfg.Look.Folder
	case "academy":
		return fmt.Sprint(cfg.Academy)
	case "media-src":
		return fmt.Sprint(cfg.Media)
	case "docs":
		return fmt.Sprint(cfg.Reference)
	case "compression":
		return fmt.Sprint(cfg.Compression)
	case "store":
		return string(cfg.Store)
	case "database.url", "database.url-file":
		return cfg.Postgres.DSN
	case "database.pooler":
		return string(cfg.Postgres.Pooler)
	case "database.direct-url", "database.direct-url-file":
		return cfg.Postgres.DirectDSN
	case "database.pool-size":
		return fmt.Sprint(cfg.Postgres.MaxConns)
	case "database.statement-timeout":
		return cfg.Postgres.StatementTimeout.String()
	case "database.connect-timeout":
		return cfg.Postgres.DialTimeout.String()
	case "database.replica-urls", "database.replica-urls-file":
		return strings.Join(cfg.Postgres.ReplicaDSNs, " ")
	case "database.replica-age":
		return cfg.Postgres.ReplicaAge.String()
	case "database.replica-reads":
		return strings.Join(cfg.ReplicaReads, " ")
	case "migrate":
		return fmt.Sprint(cfg.Postgres.MigrateAtStart)
	case "changes.retention-days":
		return fmt.Sprint(cfg.ChangeDays)
	case "audit.retention-days":
		return fmt.Sprint(cfg.AuditDays)
	case "bulk.retention-days":
		return fmt.Sprint(cfg.BulkDays)
	case "jobs.retention-days":
		return fmt.Sprint(cfg.JobDays)
	case "webhooks.retention-days":
		return fmt.Sprint(cfg.WebhookDays)
	case "idempotency.retention-hours":
		return fmt.Sprint(cfg.ReplayHours)
	case "files.dir":
		return cfg.Files.Dir
	case "files.max-size":
		return strconv.FormatInt(cfg.Files.MaxSize, 10)
	case "server.secret", "server.secret-file":
		return cfg.Secret
	case "outgoing.allow":
		return fmt.Sprint(cfg.OutgoingAllowed)
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
	case "mail.language":
		return string(cfg.Mail.Language)
	case "mail.timeout":
		return cfg.Mail.Timeout.String()
	case "invitations.lifetime":
		return cfg.InvitationLifetime.String()
	case "invitations.per-day":
		return fmt.Sprint(cfg.InvitationsPerDay)
	case "admission.slots":
		return fmt.Sprint(cfg.Admission.Slots)
	case "admission.expensive-slots":
		return fmt.Sprint(cfg.Admission.Expensive)
	case "admission.queue":
		return fmt.Sprint(cfg.Admission.Waiting)
	case "admission.wait":
		return cfg.Admission.Wait.String()
	case "rates.key":
		return fmt.Sprint(cfg.Rates.Key)
	case "rates.learner":
		return fmt.Sprint(cfg.Rates.Learner)
	case "rates.wrong-keys":
		return fmt.Sprint(cfg.Rates.WrongKeys)
	case "rates.unknown-tokens":
		return fmt.Sprint(cfg.Rates.UnknownTokens)
	case "quotas.people":
		return fmt.Sprint(cfg.Quotas.People)
	case "quotas.bytes":
		return fmt.Sprint(cfg.Quotas.Bytes)
	case "worker.count":
		return fmt.Sprint(cfg.Worker.Count)
	case "worker.poll":
		return cfg.Worker.Poll.String()
	case "log.level":
		return fmt.Sprint(cfg.Log.Enabled(context.Background(), slog.LevelDebug), cfg.Log.Enabled(context.Background(), slog.LevelWarn))
	case "log.format":
		return fmt.Sprintf("%T", cfg.Log.Handler())
	case "metrics.addr":
		return cfg.Metrics.Addr
	case "metrics.open":
		return fmt.Sprint(cfg.Metrics.Open)
	case "log.clients":
		return fmt.Sprint(cfg.LogClients)
	case "shutdown.timeout":
		return cfg.Transport.ShutdownTimeout.String()
	case "shutdown.delay":
		return cfg.Transport.ShutdownDelay.String()
	}
	return "no such setting"
}

// A setting is taken from the flag, otherwise from the environment, otherwise from the file,
// otherwise from the defaults.
func TestSettingSources(t *testing.T) {
	acme := []string{"--tls.mode=acme", "--tls.acme.hosts=a.test", "--tls.acme.cache=c"}
	secrets := []string{write(t, "a", "postgres://a\n"), write(t, "b", "postgres://b"), write(t, "c", "postgres://c")}
	long := func(s string) string { return strings.Repeat(s, files.MinSecret) }
	signing := []string{write(t, "d", long("a")), write(t, "e", long("b")+"\n"), write(t, "f", long("c"))}
	smtp := []string{"--mail.mode=smtp", "--mail.from=a@b.test", "--mail.host=h"}
	tests := []struct {
		setting string
		given   [3]string // values in the flag, the environment and the file
		shown   [3]string // the same values in the form that show returns
		with    []string  // flags that the setting requires
	}{
		{"server.name", [3]string{"a", "b", "c"}, [3]string{}, nil},
		{"server.secret", [3]string{long("a"), long("b"), long("c")}, [3]string{}, nil},
		{"server.secret-file", [3]string(signing), [3]string{long("a"), long("b"), long("c")}, nil},
		{
			"outgoing.allow",
			[3]string{"10.0.0.1", "10.1.2.3/8, ::1", "[192.0.2.1]"},
			[3]string{"[10.0.0.1/32]", "[10.0.0.0/8 ::1/128]", "[192.0.2.1/32]"},
			nil,
		},
		{"addr", [3]string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}, [3]string{}, nil},
		{"tls.mode", [3]string{"insecure", "self-signed", "insecure"}, [3]string{}, nil},
		{"tls.cert", [3]string{"a", "b", "c"}, [3]string{}, []string{"--tls.mode=files", "--tls.key=k"}},
		{"tls.key", [3]string{"a", "b", "c"}, [3]string{}, []string{"--tls.mode=files", "--tls.cert=c"}},
		{
			"tls.acme.hosts",
			[3]string{"a.test", "a.test, b.test", "[a.test, b.test]"},
			[3]string{"[a.test]", "[a.test b.test]", "[a.test b.test]"},
			[]string{"--tls.mode=acme", "--tls.acme.cache=c"},
		},
		{"tls.acme.cache", [3]string{"a", "b", "c"}, [3]string{}, acme[:2]},
		{"tls.acme.email", [3]string{"a@test", "b@test", "c@test"}, [3]string{}, acme},
		{"tls.acme.http-addr", [3]string{":1", ":2", ":3"}, [3]string{}, acme},
		{"tls.acme.directory", [3]string{"https://a", "https://b", "https://c"}, [3]string{}, acme},
		{"tls.acme.authority", [3]string{"a", "b", "c"}, [3]string{}, acme},
		{
			"trusted-proxies",
			[3]string{"10.0.0.1", "10.1.2.3/8,::1", "[192.0.2.1, 2001:db8::/32]"},
			[3]string{"[10.0.0.1/32]", "[10.0.0.0/8 ::1/128]", "[192.0.2.1/32 2001:db8::/32]"},
			[]string{"--tls.mode=proxy"},
		},
		{"connections.max", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"connections.per-network", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"cors.origins", [3]string{"*", "https://a.test, http://localhost:3000,", "[https://b.test, 'https://c.test:8443']"}, [3]string{"[*]", "[https://a.test http://localhost:3000]", "[https://b.test https://c.test:8443]"}, nil},
		{"media-src", [3]string{"https://a.test", "https://b.test,", "[https://c.test]"}, [3]string{"[https://a.test]", "[https://b.test]", "[https://c.test]"}, nil},
		{"base-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"app-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"academy-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"download-url", [3]string{"http://a", "http://b", "http://c"}, [3]string{}, nil},
		{"pages.logo", [3]string{"https://a", "https://b", "https://c"}, [3]string{}, nil},
		{"pages.color", [3]string{"#000000", "#111111", `"#222222"`}, [3]string{"#000000", "#111111", "#222222"}, nil},
		{"pages.templates", [3]string{".", "..", "/"}, [3]string{}, nil},
		{"docs", [3]string{"false", "true", "false"}, [3]string{}, nil},
		{"academy", [3]string{"false", "true", "false"}, [3]string{}, nil},
		{"compression", [3]string{"false", "true", "false"}, [3]string{}, nil},
		{"store", [3]string{"postgres", "memory", "postgres"}, [3]string{}, []string{"--database.url=x"}},
		{"database.url", [3]string{"a", "b", "c"}, [3]string{}, nil},
		{"database.url-file", [3]string(secrets), [3]string{"postgres://a", "postgres://b", "postgres://c"}, nil},
		{"database.pooler", [3]string{"transaction", "none", "transaction"}, [3]string{}, nil},
		{"database.direct-url", [3]string{"a", "b", "c"}, [3]string{}, nil},
		{"database.direct-url-file", [3]string(secrets), [3]string{"postgres://a", "postgres://b", "postgres://c"}, nil},
		{"database.replica-urls", [3]string{"a", "b, c", "[d, e]"}, [3]string{"a", "b c", "d e"}, nil},
		{"database.replica-urls-file", [3]string(secrets), [3]string{"postgres://a", "postgres://b", "postgres://c"}, nil},
		{"database.replica-age", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"database.replica-reads", [3]string{"exports", "lists, analytics", "[exports]"}, [3]string{"exports", "lists analytics", "exports"}, nil},
		{"database.pool-size", [3]string{"1", "2", "3"}, [3]string{}, nil},
		{"database.statement-timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"database.connect-timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"migrate", [3]string{"true", "false", "true"}, [3]string{}, nil},
		{"changes.retention-days", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"webhooks.retention-days", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"bulk.retention-days", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"jobs.retention-days", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"idempotency.retention-hours", [3]string{"25", "48", "72"}, [3]string{}, nil},
		{"audit.retention-days", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"files.dir", [3]string{"a", "b", "c"}, [3]string{}, nil},
		{"files.secret", [3]string{long("a"), long("b"), long("c")}, [3]string{}, nil},
		{"files.secret-file", [3]string(signing), [3]string{long("a"), long("b"), long("c")}, nil},
		{"files.max-size", [3]string{"1", "2", "3000000000"}, [3]string{}, nil},
		{"mail.mode", [3]string{"smtp", "log", "smtp"}, [3]string{}, smtp[1:]},
		{"mail.from", [3]string{"a@b.test", "B <b@b.test>", "c@b.test"}, [3]string{}, []string{"--mail.mode=smtp", "--mail.host=h"}},
		{"mail.host", [3]string{"a", "b", "c"}, [3]string{}, []string{"--mail.mode=smtp", "--mail.from=a@b.test"}},
		{"mail.port", [3]string{"1", "2", "3"}, [3]string{}, nil},
		{"mail.username", [3]string{"a", "b", "c"}, [3]string{}, append(smtp, "--mail.password=p")},
		{"mail.password", [3]string{"a", "b", "c"}, [3]string{}, append(smtp, "--mail.username=u")},
		{"mail.password-file", [3]string(secrets), [3]string{"postgres://a", "postgres://b", "postgres://c"}, append(smtp, "--mail.username=u")},
		{"mail.tls", [3]string{"none", "implicit", "opportunistic"}, [3]string{}, smtp},
		{"mail.helo", [3]string{"a", "b", "c"}, [3]string{}, smtp},
		{"mail.language", [3]string{"en", "de", "en"}, [3]string{}, smtp},
		{"mail.timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"invitations.lifetime", [3]string{"1h0m0s", "2h0m0s", "3h0m0s"}, [3]string{}, nil},
		{"invitations.per-day", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"admission.slots", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"admission.expensive-slots", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"admission.queue", [3]string{"8", "5", "3"}, [3]string{}, nil},
		{"admission.wait", [3]string{"8s", "5s", "3s"}, [3]string{}, nil},
		{"rates.key", [3]string{"600", "0", "3"}, [3]string{}, nil},
		{"rates.wrong-keys", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"rates.learner", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"rates.unknown-tokens", [3]string{"8", "0", "3"}, [3]string{}, nil},
		{"quotas.people", [3]string{"600", "0", "3"}, [3]string{}, nil},
		{"quotas.bytes", [3]string{"8", "0", "3000000000"}, [3]string{}, nil},
		{"worker.count", [3]string{"1", "0", "3"}, [3]string{}, nil},
		{"worker.poll", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"log.level", [3]string{"debug", "error", "warn"}, [3]string{"true true", "false false", "false true"}, nil},
		{"log.format", [3]string{"json", "text", "json"}, [3]string{"*slog.JSONHandler", "*slog.TextHandler", "*slog.JSONHandler"}, nil},
		{"metrics.addr", [3]string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}, [3]string{}, nil},
		{"metrics.open", [3]string{"false", "true", "false"}, [3]string{}, nil},
		{"log.clients", [3]string{"false", "true", "false"}, [3]string{}, nil},
		{"shutdown.timeout", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
		{"shutdown.delay", [3]string{"1s", "2s", "3s"}, [3]string{}, nil},
	}
	for i, tt := range tests {
		if testing.Short() && i%4 != 0 {
			continue
		}
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
				{"environment over file", env, []string{file}, tt.shown[1]},
				{"file", nil, []string{file}, tt.shown[2]},
			} {
				cfg, err := parse(from.env, append(from.args, tt.with...)...)
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
			is.True(tried[s.name] || s.name == configFlag || s.name == strictFlag) // every setting is tried above
		}
	})
}

func TestSettingWithoutOtherSources(t *testing.T) {
	is := is.New(t)
	file := "--config=" + write(t, "lyceum.yaml", yamlOf("addr", "127.0.0.1:3"))
	for want, from := range map[string]struct {
		env  environment
		args []string
	}{
		"127.0.0.1:1": {nil, []string{"--addr=127.0.0.1:1"}},
		"127.0.0.1:2": {environment{"LYCEUM_ADDR": "127.0.0.1:2"}, nil},
		"127.0.0.1:3": {environment{"LYCEUM_ADDR": ""}, []string{file}}, // a blank variable counts as missing
		"127.0.0.1:4": {nil, []string{file, "--addr=127.0.0.1:4"}},
	} {
		cfg, err := parse(from.env, from.args...)
		is.NoErr(err)
		is.Equal(cfg.Transport.Addr, want)
	}
}

// yamlOf returns one setting as YAML, nested by the dots in its name.
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

func TestSettingsFileFromEnvironment(t *testing.T) {
	is := is.New(t)
	inEnv, inFlag := write(t, "a.yaml", "addr: 127.0.0.1:1"), write(t, "b.yaml", "addr: 127.0.0.1:2")
	cfg, err := parse(environment{"LYCEUM_CONFIG": inEnv})
	is.NoErr(err)
	is.Equal(cfg.Transport.Addr, "127.0.0.1:1")
	cfg, err = parse(environment{"LYCEUM_CONFIG": inEnv}, "--config="+inFlag)
	is.NoErr(err)
	is.Equal(cfg.Transport.Addr, "127.0.0.1:2")
}

// The settings file can contain tls.mode off without quotes. YAML 1.1 would read this word as
// false.
func TestSettingsFileMayDisableTLS(t *testing.T) {
	is := is.New(t)
	cfg, err := parse(nil, "--config="+write(t, "a.yaml", "tls: {mode: off}"))
	is.NoErr(err)
	is.Equal(cfg.Transport.Mode, transport.Off)
}

// By default, submitted files are stored in a directory with --store=postgres, and in memory with
// --store=memory.
func TestFilesFolder(t *testing.T) {
	for args, want := range map[string]string{
		"": "", "--files.dir=/a": "/a",
		"--store=postgres --database.url=x":                "lyceum-files",
		"--store=postgres --database.url=x --files.dir=/a": "/a",
	} {
		t.Run(args, func(t *testing.T) {
			is := is.New(t)
			cfg, err := parse(nil, strings.Fields(args)...)
			is.NoErr(err)
			is.Equal(cfg.Files.Dir, want)
		})
	}
}

func TestMigrateFlagNeedsNoValue(t *testing.T) {
	is := is.New(t)
	cfg, err := parse(nil, "--migrate", "--addr=127.0.0.1:1")
	is.NoErr(err)
	is.True(cfg.Postgres.MigrateAtStart)
	is.Equal(cfg.Transport.Addr, "127.0.0.1:1")
}

func TestTrustedProxies(t *testing.T) {
	is := is.New(t)
	cfg, err := parse(nil, "--tls.mode=proxy", "--trusted-proxies", " ::ffff:10.0.0.1 , 10.9.8.7/16,")
	is.NoErr(err)
	is.Equal(cfg.Transport.Proxies, []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32"), netip.MustParsePrefix("10.9.0.0/16")})
}
