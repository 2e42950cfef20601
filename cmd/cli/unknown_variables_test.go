package cli

import (
	"testing"

	"github.com/matryer/is"
)

func TestUnknownVariables(t *testing.T) {
	for _, tt := range []struct{ name, variable, hint string }{
		{"a misspelled one", "LYCEUM_TLS_MODES=off", "LYCEUM_TLS_MODES is not a setting; did you mean LYCEUM_TLS_MODE?"},
		{"nothing close", "LYCEUM_COLOR_OF_MONEY=green", "LYCEUM_COLOR_OF_MONEY is not a setting"},
		{"a port that is a number", "LYCEUM_MALI_PORT=25", "LYCEUM_MALI_PORT is not a setting; did you mean LYCEUM_MAIL_PORT?"},
		{"a setting", "LYCEUM_TLS_MODE=off", ""},
		{"the settings file", "LYCEUM_CONFIG=", ""},
		{"this check", "LYCEUM_STRICT_ENV=", ""},
		{"of another program", "LYCEUMS=1", ""},
		{"for clients", "LYCEUM_KEY=1", ""},
		{"for tests", "LYCEUM_TEST_DATABASE_URL=x", ""},
		{"the host of a service", "LYCEUM_SERVICE_HOST=10.0.0.7", ""},
		{"the port of a service", "LYCEUM_SERVICE_PORT_HTTP=80", ""},
		{"the address of a service", "LYCEUM_PORT=tcp://10.0.0.7:80", ""},
		{"a part of the address", "LYCEUM_PORT_80_TCP_ADDR=10.0.0.7", ""},
		{"another service", "LYCEUM_DB_PORT_5432_TCP=tcp://10.0.0.8:5432", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			run := func(args ...string) (int, string) {
				var out, err output
				return terminal{out: &out, err: &err, environ: []string{"PATH=x", tt.variable}}.run(t.Context(), args, environment{}.lookup), err.String()
			}
			code, stderr := run("config", "sample")
			strict, refused := run("config", "sample", "--strict-env")
			is.Equal(code, 0)
			if tt.hint == "" {
				is.Equal(stderr, "")
				is.Equal(strict, 0)
				return
			}
			is.Equal(stderr, "lyceum: warning: "+tt.hint+"\n")
			is.Equal(refused, "lyceum: "+tt.hint+"\n")
			is.Equal(strict, 2)
		})
	}
}
