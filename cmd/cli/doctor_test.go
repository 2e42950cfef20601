package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/kit/mailtest"
	"lyceum/test/kit/pgtest"
)

// doctor runs the command and returns its exit code and its output: standard output with single
// spaces, then standard error.
func doctor(t *testing.T, env environment, args ...string) (int, string) {
	t.Helper()
	code, out, stderr := lyceum(t, env, append([]string{"doctor", "--addr=127.0.0.1:0"}, args...)...)
	var lines []string
	for line := range strings.Lines(out) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return code, strings.Join(lines, "\n") + "\n" + stderr
}

func TestDoctor(t *testing.T) {
	healthy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/healthz" {
			http.NotFound(w, r)
		}
	}))
	defer healthy.Close()
	sink := mailtest.Start(t, mailtest.Config{})
	smtp := []string{
		"--mail.mode=smtp", "--mail.from=a@school.example", "--mail.tls=none", "--mail.host=" + sink.Host, "--mail.port=" + strconv.Itoa(sink.Port),
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	plain := write(t, "plain", "")
	for _, tt := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"the defaults", nil, 0, []string{"ok settings valid\nok database not used, because store is memory\nok files kept in memory\nok mail not used"}},
		{"an invalid setting", []string{"--store=disk"}, 1, []string{`lyceum: store: must be one of`}},
		{"an unusual setting", []string{"--tls.mode=insecure"}, 0, []string{"warn settings tls.mode is insecure: "}},
		{"mail", smtp, 0, []string{"ok mail " + sink.Addr() + " accepts connections\n"}},
		{
			"no mail server", append(smtp, "--mail.port=1"), 1,
			[]string{"FAIL mail mail.host: mail server, connect: ", "lyceum: doctor: failed checks: 1\n"},
		},
		{
			"a login that the mail server refuses", append(smtp, "--mail.username=u", "--mail.password=p", "--mail.tls=mandatory"), 1,
			[]string{"FAIL mail mail.host: "},
		},
		{"no file directory yet", []string{"--files.dir=" + filepath.Join(t.TempDir(), "none")}, 0, []string{"warn files "}},
		{"a file directory", []string{"--files.dir=" + t.TempDir()}, 0, []string{" is readable and writable\n"}},
		{"a file for the directory", []string{"--files.dir=" + plain}, 1, []string{"FAIL files files.dir: "}},
		{"base URLs", []string{"--base-url=" + healthy.URL + "/api", "--app-url=" + healthy.URL}, 0, []string{"ok base-url ", "ok app-url "}},
		{"a base URL of another program", []string{"--base-url=" + healthy.URL}, 0, []string{"warn base-url " + healthy.URL + "/healthz returned 404\n"}},
		{"no response", []string{"--academy-url=http://127.0.0.1:1"}, 0, []string{"warn academy-url no response: dial tcp 127.0.0.1:1: "}},
		{"no host", []string{"--download-url=http://nowhere.invalid"}, 1, []string{"FAIL download-url download-url: lookup nowhere.invalid"}},
		{"an address in use", []string{"--addr=" + taken.Addr().String()}, 0, []string{"warn addr " + taken.Addr().String() + " is in use"}},
		{"an address of another machine", []string{"--addr=192.0.2.1:80", "--tls.mode=self-signed"}, 1, []string{"FAIL addr addr: listen tcp 192.0.2.1:80: "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, out := doctor(t, nil, tt.args...)
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			is.Equal(code, tt.code)
		})
	}
	is.New(t).Equal(len(sink.Accepted()), 0)
}

func TestDoctorOnPostgres(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.Fresh(t)
	env := onPostgres(t, dsn)
	code, out := doctor(t, env)
	is.Equal(code, 1)
	is.True(strings.Contains(out, "\nFAIL schema "))
	is.True(strings.Contains(out, ": run lyceum migrate\n"))
	must(t, env, "migrate")
	code, out = doctor(t, env)
	is.Equal(code, 0)
	is.True(strings.Contains(out, "\nok database PostgreSQL "))
	is.True(strings.Contains(out, "\nok schema up to date\nok clock agrees with the clock of the database\n"))
	env["LYCEUM_DATABASE_URL"] = "postgres://127.0.0.1:1/none?sslmode=disable"
	began := time.Now()
	code, out = doctor(t, env)
	is.Equal(code, 1)
	is.True(strings.Contains(out, "\nFAIL database database.url: cannot open the database: dial tcp 127.0.0.1:1: "))
	is.True(time.Since(began) < 4*time.Second) // less than database.connect-timeout: there is one attempt
}

func TestDoctorReadsCertificate(t *testing.T) {
	day := 24 * time.Hour
	for _, tt := range []struct {
		name       string
		from, till time.Duration
		base, want string
		code       int
	}{
		{"valid", -day, 90 * day, "", "ok certificate valid until ", 0},
		{"valid for the base URL", -day, 90 * day, "https://127.0.0.1:1", "ok certificate valid until ", 0},
		{"for another host", -day, 90 * day, "https://localhost:1", "FAIL certificate tls.cert: is not valid for localhost, the host of base-url", 1},
		{"expires soon", -day, 13 * day, "", "warn certificate expires at ", 0},
		{"expired", -2 * day, -day, "", "FAIL certificate tls.cert: expired at ", 1},
		{"not yet valid", day, 90 * day, "", "FAIL certificate tls.cert: is valid only from ", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cert, key := certificate(t, time.Now().Add(tt.from), time.Now().Add(tt.till))
			code, out := doctor(t, nil, "--tls.mode=files", "--tls.cert="+cert, "--tls.key="+key, "--base-url="+tt.base)
			is.True(strings.Contains(out, "\n"+tt.want))
			is.Equal(code, tt.code)
		})
	}
	t.Run("missing", func(t *testing.T) {
		is := is.New(t)
		code, out := doctor(t, nil, "--tls.mode=files", "--tls.cert=/none", "--tls.key=/none")
		is.True(strings.Contains(out, "\nFAIL certificate tls.cert, tls.key: open /none: "))
		is.Equal(code, 1)
	})
}

// certificate writes a certificate for 127.0.0.1 and its key, and returns the names of the files.
func certificate(t *testing.T, from, till time.Time) (cert, key string) {
	t.Helper()
	is := is.New(t)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	is.NoErr(err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: till, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	is.NoErr(err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	is.NoErr(err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	is.NoErr(os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	is.NoErr(os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600))
	return cert, key
}
