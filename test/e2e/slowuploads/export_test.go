package slowuploads_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit"
)

// export requests an export with a key. When the header of the response arrives, it returns the
// status, the Retry-After header, the body and the connection.
func (w world) export(key string) (status int, retry string, rest io.Reader, c net.Conn) {
	w.t.Helper()
	c, err := (&net.Dialer{}).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.URL(), "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Close() })
	w.write(c, "GET /v2/export HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Api-Key: "+key+"\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(c), nil) //lint:ignore bodyclose the connection is closed
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Retry-After"), resp.Body, c
}

// TestExportReaderThatTakesNothing checks a client that requests an export but does not read it.
// The client may hold only a slot of its own school, and only until the server disconnects it.
func TestExportReaderThatTakesNothing(t *testing.T) {
	onEachStore(t, func(w world) {
		is := is.New(w.t)
		const enough = 12 << 20 // larger than all buffers together
		text := formStart(enough)
		upload := w.dial(len(text))
		w.write(upload, text)
		status, _ := w.readResponse(upload)
		is.Equal(status, http.StatusCreated)
		_, secret, err := kit.School{Name: "Other"}.Import(w.t.Context(), w.App())
		is.NoErr(err)

		status, _, stalled, _ := w.export(w.key)
		is.Equal(status, http.StatusOK)
		status, retry, _, _ := w.export(w.key)
		is.Equal(status, http.StatusServiceUnavailable)
		is.True(retry != "")
		status, _, body, _ := w.export(secret)
		is.Equal(status, http.StatusOK)
		whole, err := io.ReadAll(body)
		is.NoErr(err)
		is.True(strings.Contains(string(whole), `{"kind":"end"`))

		w.eventually(func() bool {
			status, _, _, c := w.export(w.key)
			_ = c.Close()
			return status == http.StatusOK
		})
		part, err := io.ReadAll(stalled)
		is.True(err != nil) // the server broke the connection, so the response does not look complete
		is.True(!strings.Contains(string(part), `{"kind":"end"`))
	})
}
