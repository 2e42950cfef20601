package cli

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestWarnings(t *testing.T) {
	const never = "worker.count is 0 with --store=memory: background jobs will never run."
	proxied := []string{"--tls.mode=proxy", "--base-url=https://a.test"}
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"the defaults", nil, nil},
		{"no workers in memory", []string{"--worker.count=0"}, []string{never}},
		{"an unused database", []string{"--database.url=x"}, []string{"database.url is set, but it is used only with --store=postgres."}},
		{
			"others work on the same database",
			[]string{
				"--worker.count=0", "--store=postgres", "--database.url=x", "--files.secret=01234567890123456789012345678901",
				"--mail.mode=smtp", "--mail.from=a@b.test", "--mail.host=h",
			},
			nil,
		},
		{"a proxy", append(proxied, "--trusted-proxies=10.0.0.0/8,2001:db8::/32"), nil},
		{
			"every address is a proxy", append(proxied, "--trusted-proxies=10.0.0.1,0.0.0.0/0,::/0"),
			[]string{
				"trusted-proxies has 0.0.0.0/0, so nearly every client can pose as the proxy.",
				"trusted-proxies has ::/0, so nearly every client can pose as the proxy.",
			},
		},
		{"half of all addresses", append(proxied, "--trusted-proxies=128.0.0.0/1"), []string{
			"trusted-proxies has 128.0.0.0/1, so nearly every client can pose as the proxy.",
		}},
		{"open metrics", []string{"--metrics.addr=:9090", "--metrics.open"}, []string{
			"metrics.open is set: every client that reaches metrics.addr can read metrics and profiles.",
		}},
		{
			"links that end with the server",
			[]string{"--store=postgres", "--database.url=x", "--mail.mode=smtp", "--mail.from=a@b.test", "--mail.host=h"},
			[]string{"files.secret is not set: download links are valid only on this server until it stops."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg, err := parse(nil, tt.args...)
			is.NoErr(err)
			is.Equal(warnings(cfg), tt.want)
		})
	}
}

// A secret in a flag causes a warning, because every user of the machine can read it in the list of
// processes.
func TestWarningsAboutSecretsInFlags(t *testing.T) {
	const address = "postgres://user:hunter22@127.0.0.1:1/x"
	signing := strings.Repeat("s", 32)
	file := write(t, "lyceum.yaml", "database: {url: "+address+"}\nfiles: {secret: "+signing+"}\n")
	for _, tt := range []struct {
		name string
		env  environment
		args []string
		want []string
	}{
		{
			"flags", nil,
			[]string{"serve", "--database.url=" + address, "--files.secret", signing, "--mail.password=x"},
			[]string{"database.url", "files.secret", "mail.password"},
		},
		{"a flag of another command", nil, []string{"migrate", "--database.url=" + address}, []string{"database.url"}},
		{"a password as a parameter", nil, []string{"migrate", "--database.url=postgres://127.0.0.1:1/x?password=p"}, []string{"database.url"}},
		{"no password", nil, []string{"migrate", "--database.url=postgres://user@127.0.0.1:1/x"}, nil},
		{"the environment", environment{"LYCEUM_DATABASE_URL": address, "LYCEUM_FILES_SECRET": signing}, []string{"serve"}, nil},
		{"a file", nil, []string{"serve", "--config=" + file}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			// The store is invalid, so serve ends immediately.
			args := tt.args
			if args[0] == "serve" {
				args = append(args, "--store=disk")
			}
			_, stdout, stderr := lyceum(t, tt.env, append(args, "--database.connect-timeout=1ms")...)
			for _, secret := range []string{"hunter22", signing} {
				is.True(!strings.Contains(stdout+stderr, secret))
			}
			is.Equal(strings.Count(stderr, "warning: every user of this machine can read --"), len(tt.want))
			for _, name := range tt.want {
				is.True(strings.Contains(stderr, "can read --"+name+" in the list of processes; use $"+variable(name)+" or --"+name+"-file"))
			}
		})
	}
}
