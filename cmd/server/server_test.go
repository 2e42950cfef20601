package server_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"
	"lyceum/adapters/demo"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// local returns a configuration for a free port of this machine.
func local() server.Config {
	cfg := server.Defaults()
	cfg.Transport.Addr = "127.0.0.1:0"
	return cfg
}

// serve runs a server with the demo school until the test ends.
func serve(t *testing.T, cfg server.Config) *server.Server {
	t.Helper()
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School}); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// get sends a request with the key of the demo school.
func get(t *testing.T, url string, header http.Header) (int, http.Header, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	if request.URL.Path != "/metrics" { // the metrics listener rejects this host
		request.Host = "evil.example" // the Host header must not affect links
	}
	request.Header.Set("X-Api-Key", demo.Key)
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(body)
}

func TestLinks(t *testing.T) {
	tests := []struct {
		name                 string
		links                httpapi.Links
		self, teaching, link string // the test replaces LISTEN with the listener's address
	}{
		{
			"all by default",
			httpapi.Links{},
			"LISTEN/v1/courses/welcome", "LISTEN/app/riverside-academy/courses/welcome", "LISTEN/learn/riverside-academy/outline/welcome/cover",
		},
		{
			"the API's own, with a path and slashes at its end",
			httpapi.Links{Base: "https://school.example/api//"},
			"https://school.example/api/v1/courses/welcome", "https://school.example/api/app/riverside-academy/courses/welcome",
			"https://school.example/api/learn/riverside-academy/outline/welcome/cover",
		},
		{
			"others",
			httpapi.Links{App: "https://app.example/", Academy: "https://learn.example/{school}/x"},
			"LISTEN/v1/courses/welcome", "https://app.example/courses/welcome", "https://learn.example/riverside-academy/x/outline/welcome/cover",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			cfg.Links = tt.links
			s := serve(t, cfg)
			status, _, body := get(t, s.URL()+"/v1/courses/welcome", nil)
			is.Equal(status, http.StatusOK)
			var document struct {
				Data struct {
					Attributes struct {
						Share string `json:"share_course_link"`
					}
					Links struct{ Self, Teaching string }
				}
			}
			is.NoErr(json.Unmarshal([]byte(body), &document))
			at := func(link string) string { return strings.Replace(link, "LISTEN", s.URL(), 1) }
			is.Equal(document.Data.Links.Self, at(tt.self))
			is.Equal(document.Data.Links.Teaching, at(tt.teaching))
			is.Equal(document.Data.Attributes.Share, at(tt.link))
		})
	}
}

func TestForbiddenConnectionGetsErrorDocument(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Transport.Mode = transport.Proxy
	cfg.Transport.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	s := serve(t, cfg)
	status, header, body := get(t, s.URL()+"/v1/courses", nil)
	is.Equal(status, http.StatusForbidden)
	is.Equal(header.Get("Content-Type"), "application/json; charset=utf-8")
	is.Equal(header.Get("Strict-Transport-Security"), "")
	is.True(strings.HasPrefix(body, `{"errors":[`))

	status, header, _ = get(t, s.URL()+"/v1/courses", http.Header{"X-Forwarded-Proto": {"https"}})
	is.Equal(status, http.StatusOK)
	is.True(header.Get("Strict-Transport-Security") != "")

	for _, probe := range []string{"/healthz", "/readyz", "/readyz/"} { // without the proxy and without a key
		status, _, _ = get(t, s.URL()+probe, nil)
		is.Equal(status, http.StatusOK)
	}
}

func TestCertificateIsForHostOfLinks(t *testing.T) {
	is := is.New(t)
	cfg := local()
	cfg.Transport.Mode = transport.SelfSigned
	cfg.Links.Base = "https://school.example:8443/api"
	s := serve(t, cfg)
	is.True(s.Fingerprint() != "")
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL(), "https://"))
	is.NoErr(err)
	shown := conn.(*tls.Conn).ConnectionState().PeerCertificates[0]
	is.NoErr(conn.Close())
	is.NoErr(shown.VerifyHostname("school.example"))
	is.NoErr(shown.VerifyHostname("127.0.0.1"))
}

func TestAssemblyIsLoggedAtDebug(t *testing.T) {
	is := is.New(t)
	written := func(level slog.Level) string {
		var log bytes.Buffer
		cfg := local()
		cfg.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level}))
		s, err := server.New(cfg)
		is.NoErr(err)
		is.NoErr(s.Start(t.Context()))
		is.NoErr(s.Stop())
		return log.String()
	}
	is.Equal(written(slog.LevelInfo), "")
	is.True(strings.Contains(written(slog.LevelDebug), "transport.Server"))
}

// New returns the error of the part that failed, without text added by fx.
func TestAssemblyErrors(t *testing.T) {
	tests := []struct {
		name, want string
		edit       func(*server.Config)
	}{
		{
			"settings", "store: must be one of: memory, postgres; got \"\"\naddr: \"\" must have the form host:port, such as 127.0.0.1:8080\n" +
				"tls.mode: must be one of: off, self-signed, files, acme, proxy, insecure; got \"\"\nshutdown.timeout: must be greater than 0\n" +
				"mail.mode: must be one of: log, smtp; got \"\"\nworker.poll: must be greater than 0\nfiles.max-size: must be at least 1\ninvitations.lifetime: must be between 1m and 8760h\nidempotency.retention-hours: must be between 24 and 8760",
			func(c *server.Config) { *c = server.Config{} },
		},
		{
			"negative numbers", "database.pool-size: must not be negative\ndatabase.statement-timeout: must not be negative\n" +
				"database.connect-timeout: must not be negative",
			func(c *server.Config) {
				c.Postgres = pgdb.Config{MaxConns: -1, StatementTimeout: -1, DialTimeout: -1}
			},
		},
		{
			"a pooler", `database.pooler: must be one of: none, transaction; got "statement"`,
			func(c *server.Config) { c.Postgres.Pooler = "statement" },
		},
		{
			"a database", "database.url: is malformed; expected a URL such as postgres://host:port/name " +
				"or key=value pairs, with one port or one port per host",
			func(c *server.Config) {
				c.Store, c.Postgres.DSN, c.Files.Dir = server.Postgres, "postgres://%zz", "nowhere"
			},
		},
		{
			"records that would outlast their files", "files.dir: is required with --store=postgres",
			func(c *server.Config) { c.Store, c.Postgres.DSN = server.Postgres, "postgres://unknown@127.0.0.1:1/x" },
		},
		{"a server secret that can be guessed", "server.secret: must have at least 32 characters", func(c *server.Config) { c.Secret = "x" }},
		{"a secret that can be guessed", "files.secret: must have at least 32 characters", func(c *server.Config) { c.Files.Secret = "x" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg := local()
			tt.edit(&cfg)
			_, err := server.New(cfg)
			is.True(err != nil)
			is.Equal(err.Error(), tt.want)
		})
	}
}

func TestStartFailsIfPortIsTaken(t *testing.T) {
	is := is.New(t)
	first := serve(t, local())
	cfg := local()
	cfg.Transport.Addr = strings.TrimPrefix(first.URL(), "http://")
	s, err := server.New(cfg)
	is.NoErr(err)
	err = s.Start(t.Context())
	is.True(err != nil)
	is.Equal(err.Error(), "addr: "+cfg.Transport.Addr+" is already in use")
}
