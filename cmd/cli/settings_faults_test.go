package cli

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// All invalid settings are reported together, each by its name.
func TestSettingsErrors(t *testing.T) {
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
				`trusted-proxies: "proxy" is not an IP address or a CIDR range, such as 10.0.0.0/8`,
				`docs: "perhaps" must be true or false`,
				`database.pool-size: "0" is not a positive whole number`,
				`database.statement-timeout: must be greater than 0`,
				`database.connect-timeout: "x" is not a valid duration, such as 10s`,
				`migrate: "maybe" must be true or false`,
				`log.level: must be one of: debug, info, warn, error; got "loud"`,
				`log.format: must be one of: text, json; got "xml"`,
				`shutdown.timeout: "soon" is not a valid duration, such as 10s`,
				`store: must be one of: memory, postgres; got "disk"`,
				`base-url: must be absolute, such as https://school.example`,
				`tls.mode: must be one of: off, self-signed, files, acme, proxy, insecure; got "on"`,
				`trusted-proxies: is allowed only with --tls.mode=proxy, not on`,
				`shutdown.delay: must not be negative`,
			},
		},
		{
			"origins", nil,
			[]string{"--cors.origins=learn.example, https://learn.example/, *"},
			[]string{
				`cors.origins: "learn.example" is not an origin, such as https://learn.example`,
				`cors.origins: "https://learn.example/" is not in the form that browsers send: https://learn.example`,
				`cors.origins: * must be the only entry`,
			},
		},
		{"the change feed", nil, []string{"--changes.retention-days=-1"}, []string{`changes.retention-days: "-1" is not a positive whole number`}},
		{"no time of this length", nil, []string{"--changes.retention-days=36501"}, []string{"changes.retention-days: must be between 0 and 36500"}},
		{"the bulk jobs", nil, []string{"--bulk.retention-days=36501"}, []string{"bulk.retention-days: must be between 0 and 36500"}},
		{"the failed jobs", nil, []string{"--jobs.retention-days=36501"}, []string{"jobs.retention-days: must be between 0 and 36500"}},
		{"the deliveries of webhooks", nil, []string{"--webhooks.retention-days=36501"}, []string{"webhooks.retention-days: must be between 0 and 36500"}},
		{"less time than the API promises", nil, []string{"--idempotency.retention-hours=23"}, []string{"idempotency.retention-hours: must be between 24 and 8760"}},
		{"the audit trail", nil, []string{"--audit.retention-days=36501"}, []string{"audit.retention-days: must be between 0 and 36500"}},
		{"no database", nil, []string{"--store=postgres"}, []string{"database.url: is required with --store=postgres"}},
		{
			"the database twice", nil,
			[]string{"--database.url=x", "--database.url-file=" + file},
			[]string{"database.url-file: conflicts with database.url; set only one of them"},
		},
		{
			"files", nil,
			[]string{"--files.secret=short", "--files.secret-file=" + file},
			[]string{"files.secret-file: conflicts with files.secret; set only one of them", "files.secret: must have at least 32 characters"},
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
			"connections", nil,
			[]string{"--connections.max=-1", "--connections.per-network=many"},
			[]string{
				`connections.max: "-1" is not a positive whole number`,
				`connections.per-network: "many" is not a positive whole number`,
			},
		},
		{
			"rates", nil,
			[]string{"--rates.key=-1", "--rates.learner=1000001", "--rates.wrong-keys=1000001", "--rates.unknown-tokens=many"},
			[]string{
				`rates.key: "-1" is not a positive whole number`,
				`rates.unknown-tokens: "many" is not a positive whole number`,
				`rates.learner: must be between 0 and 1000000`,
				`rates.wrong-keys: must be between 0 and 1000000`,
			},
		},
		{
			"mail",
			environment{"LYCEUM_MAIL_PASSWORD": "hunter2"},
			[]string{
				"--mail.mode=smtp", "--mail.from=absent", "--mail.port=x", "--mail.tls=on", "--mail.helo=a b", "--mail.timeout=0s",
				"--worker.count=-1", "--worker.poll=0s",
			},
			[]string{
				`mail.port: "x" is not a positive whole number`,
				`mail.timeout: must be greater than 0`,
				`worker.count: "-1" is not a positive whole number`,
				`worker.poll: must be greater than 0`,
				`mail.from: "absent" is not a valid email address, such as no-reply@school.example`,
				`mail.host: is required with --mail.mode=smtp`,
				`mail.tls: must be one of: mandatory, opportunistic, implicit, none; got "on"`,
				`mail.helo: "a b" is not a valid host name`,
				`mail.username: is required with mail.password`,
			},
		},
		{"a malformed duration", nil, []string{"--worker.poll=x"}, []string{`worker.poll: "x" is not a valid duration, such as 10s`}},
		{
			"the password twice", nil,
			[]string{"--mail.password=x", "--mail.password-file=" + file},
			[]string{"mail.password-file: conflicts with mail.password; set only one of them"},
		},
		{
			"bases of links", nil,
			[]string{"--base-url=ftp://a", "--app-url=http://a?b", "--academy-url=http://u:p@a", "--download-url=http://a b"},
			[]string{
				"base-url: must be absolute, such as https://school.example",
				"app-url: must not contain a user name, query or fragment",
				"academy-url: must not contain a user name, query or fragment",
				"download-url: is not a valid URL",
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
			is.Equal(withoutWarnings(stderr), want)
		})
	}
}

// withoutWarnings returns stderr without its warnings.
func withoutWarnings(stderr string) string {
	var rest strings.Builder
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "lyceum: warning: ") {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

func TestSettingsFileErrors(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // FILE stands for the name of the file
	}{
		{
			"keys that do not exist", "adr: x\ntls:\n  mod: x\n  mode: off\nschool: x\n",
			"lyceum: FILE: unknown key \"adr\"\nlyceum: FILE: unknown key \"school\"\nlyceum: FILE: unknown key \"tls.mod\"\n",
		},
		{"a command's own flag", "demo: true\n", "lyceum: FILE: unknown key \"demo\"\n"},
		{"another file", "config: x\n", "lyceum: FILE: unknown key \"config\"\n"},
		{"a value where keys stand", "tls: files\n", "lyceum: FILE: unknown key \"tls\"\n"},
		{"keys instead of a value", "trusted-proxies:\n  - {a: b}\n", "lyceum: FILE: trusted-proxies: must be a string, a number, a boolean or a list of these\n"},
		{"a key twice", "addr: x\naddr: y\n", "lyceum: FILE: [2:1] mapping key \"…\" already defined at [1:1]\n"},
		{"keys of a setting that does not exist", "tls: {mod: {x: y}}\n", "lyceum: FILE: unknown key \"tls.mod\"\n"},
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
		is.Equal(stderr, "lyceum: school list: requires --store=postgres (--store=memory keeps no data; serve --demo has a school to try)\n")
	})
}

func TestSecretIsRedacted(t *testing.T) {
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
