// Package slowuploads_test tests a complete server, on each store, with clients that become slow or
// stop during an upload or an export. The server must disconnect them in time and save nothing of
// an incomplete upload.
package slowuploads_test

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/fx"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/transport"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

const (
	// idleTimeout is the maximum time for which a client may send or read nothing. uploadTimeout is
	// the time limit of an upload. Both are much shorter than the time limits of the connection.
	idleTimeout   = 800 * time.Millisecond
	uploadTimeout = 4 * time.Second
	// minRate is the minimum rate of a client in bytes per second.
	minRate = 20
	// testTimeout is the maximum duration of a test on a slow machine.
	testTimeout = 10 * time.Second
)

var (
	ada      = uuid.MustParse("00000000-0000-4000-8000-00000000000a")
	drawing  = uuid.MustParse("00000000-0000-4000-8000-00000000000b")
	boundary = "part"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a server with a learner and an assignment.
type world struct {
	*server.Server
	t           *testing.T
	folder, key string
}

// onEachStore runs a test on each store.
func onEachStore(t *testing.T, test func(w world)) {
	t.Helper()
	for _, store := range []server.Store{server.Memory, server.Postgres} {
		t.Run(string(store), func(t *testing.T) {
			t.Parallel()
			cfg := server.Defaults()
			cfg.Store, cfg.Files.Dir = store, t.TempDir()
			if store == server.Postgres {
				cfg.Postgres.DSN, cfg.Postgres.MaxConns = pgtest.Migrated(t), 4
			}
			test(open(t, cfg))
		})
	}
}

func open(t *testing.T, cfg server.Config) world {
	t.Helper()
	cfg.Transport.Addr, cfg.Worker.Count = "127.0.0.1:0", 0
	s, err := server.New(cfg, fx.Decorate(newHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	_, secret, err := kit.School{
		Name: "Acme", Lines: `
		{"kind": "person", "email": "ada@example.test", "activated_at": "2026-01-02T15:04:05Z", "id": "` + ada.String() + `"}
		{"kind": "assignment", "title": "A drawing", "id": "` + drawing.String() + `"}
		{"kind": "course", "permalink": "drawing", "name": "Drawing"}
		{"kind": "activity", "course": "drawing", "title": "Draw", "type": "assignment", "assignment": "A drawing"}
		{"kind": "enrollment", "course": "drawing", "person": "ada@example.test", "role": "learner"}`,
	}.Import(t.Context(), s.App())
	if err != nil {
		t.Fatal(err)
	}
	return world{Server: s, t: t, folder: cfg.Files.Dir, key: secret}
}

// newHandler returns the API of a server with short time limits.
func newHandler(a *app.App, s *transport.Server, log *slog.Logger) transport.HandlerFunc {
	return func(url string) (http.Handler, error) {
		return httpapi.New(a, httpapi.Config{
			Links: httpapi.Links{Base: url, Download: url}, Transport: s.Answerable,
			UploadPause: idleTimeout, UploadTime: uploadTimeout, UploadRate: minRate,
			ExportPause: idleTimeout, ExportRate: minRate, ListPause: idleTimeout, ListRate: minRate,
			Admission: limits.Admission{Wait: idleTimeout / 10}, // an export that waits for a slot gets 503 before a reader is disconnected
		}, log), nil
	}
}

// formStart returns the body of a form with a file of size bytes.
func formStart(size int) string {
	return fmt.Sprintf("--%[1]s\r\nContent-Disposition: form-data; name=\"person\"\r\n\r\n%[2]s\r\n"+
		"--%[1]s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n%[3]s\r\n--%[1]s--\r\n",
		boundary, ada, strings.Repeat("x", size))
}

// dial opens a connection and sends the header of a request with a body of length bytes and an
// Idempotency-Key.
func (w world) dial(length int) net.Conn {
	w.t.Helper()
	host := strings.TrimPrefix(w.URL(), "http://")
	c, err := (&net.Dialer{}).DialContext(w.t.Context(), "tcp", host)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(3 * testTimeout)); err != nil {
		w.t.Fatal(err)
	}
	w.write(c, fmt.Sprintf("POST /v2/assignments/%s/submissions HTTP/1.1\r\nHost: %s\r\nX-Api-Key: %s\r\n"+
		"Idempotency-Key: once\r\nContent-Type: multipart/form-data; boundary=%s\r\nContent-Length: %d\r\n\r\n",
		drawing, host, w.key, boundary, length))
	return c
}

func (w world) write(c net.Conn, text string) {
	w.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		w.t.Fatal(err)
	}
}

// readResponse returns the status of the response on a connection, and whether the server has then
// closed the connection.
func (w world) readResponse(c net.Conn) (status int, closed bool) {
	w.t.Helper()
	in := bufio.NewReader(c)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		w.t.Fatal(err)
	}
	if !resp.Close {
		return resp.StatusCode, false
	}
	_, err = in.ReadByte()
	return resp.StatusCode, err != nil
}

// storedFiles returns the names of the files in the folder.
func (w world) storedFiles() []string {
	w.t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(w.folder), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return names
}

// submissions returns the number of submissions.
func (w world) submissions() int {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.URL()+"/v2/submissions", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", w.key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK {
		w.t.Fatal(resp.StatusCode, err)
	}
	return strings.Count(string(body), `"type":"assignment_submissions"`)
}

// eventually waits until so returns true.
func (w world) eventually(so func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(testTimeout); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatal("it never came true")
		}
	}
}
