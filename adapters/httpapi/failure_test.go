package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/domain/fault"
)

// secret is the text of an error, with an email address and a key. Clients must not see any part of
// it. The log contains the text without the address and the key.
const secret = "hunter2 of ada@example.test and lyc_0123abc"

// Clients get fixed texts for failures. The cause is logged: a defect as an error, an outage as a
// warning.
func TestFailures(t *testing.T) {
	internal := `{"errors":[{"status":"500","title":"Internal Server Error","detail":"Something went wrong on our side","source":{}}]}`
	slow := `{"errors":[{"status":"503","title":"Service Unavailable","detail":"The request took too long","source":{}}]}`
	tests := []struct {
		name   string
		list   func(ctx context.Context) error
		status int
		body   string
		level  string // level of the log line with the cause
	}{
		{"a defect", func(context.Context) error { return errors.New(secret) }, 500, internal, "ERROR"},
		{"a panic", func(context.Context) error { panic(secret) }, 500, internal, "ERROR"},
		{
			"a fault in a wrapping", func(context.Context) error {
				return fmt.Errorf("%s: %w", secret, fault.Unavailablef("Come back later"))
			},
			503, `{"errors":[{"status":"503","title":"Service Unavailable","detail":"Come back later","source":{}}]}`, "WARN",
		},
		{
			"no time left", func(ctx context.Context) error {
				<-ctx.Done()
				return fmt.Errorf("%s: %w", secret, ctx.Err())
			}, 503, slow, "WARN",
		},
		{
			"no time left, said in other words", func(ctx context.Context) error {
				<-ctx.Done()
				return errors.New(secret + ": statement cancelled")
			}, 503, slow, "WARN",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			limit := 10 * time.Millisecond
			if tt.status != 503 {
				limit = time.Minute // on a slow machine, a defect must not exceed the time limit
			}
			a := newAPI(t, httpapi.Config{TimeLimit: limit}, tt.list)
			w := a.get(t.Context(), "/v1/categories")
			is.Equal(w.Code, tt.status)
			is.Equal(w.Body.String(), tt.body)
			is.Equal(w.Header().Get("Content-Type"), "application/json; charset=utf-8")
			is.Equal(w.Header().Get("Cache-Control"), "no-cache")
			is.Equal(w.Header().Get("Retry-After") != "", tt.status == 503)

			cause, request, _ := strings.Cut(a.log.String(), "\n")
			is.True(strings.Contains(cause, "level="+tt.level+" "))
			is.True(strings.Contains(cause, "hunter2 of … and …"))
			is.True(strings.Contains(request, fmt.Sprintf("level=INFO msg=request request_id=%s", w.Header().Get("X-Request-Id"))))
			is.True(strings.Contains(request, fmt.Sprintf("status=%d", tt.status)))
			is.Equal(strings.Count(a.log.String(), "request_id="+w.Header().Get("X-Request-Id")), 2) // both lines contain the request ID
			for _, never := range []string{"ada@", "example.test", "0123abc"} {
				is.True(!strings.Contains(a.log.String(), never)) // must not be logged
			}
		})
	}
}

func TestClientDisconnect(t *testing.T) {
	is := is.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	a := newAPI(t, httpapi.Config{}, func(ctx context.Context) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	})
	w := a.get(ctx, "/v1/categories")
	is.Equal(w.Code, 499)
	is.Equal(w.Body.Len(), 0)
	is.True(strings.Contains(a.log.String(), "status=499"))
	is.True(!strings.Contains(a.log.String(), "level=ERROR"))
}

// net/http cancels the request of a client that sends its body too slowly, as if the client had
// disconnected. The client still gets a response.
func TestClientTooSlow(t *testing.T) {
	for _, ended := range []bool{true, false} {
		t.Run(fmt.Sprintf("ended: %v", ended), func(t *testing.T) {
			is := is.New(t)
			a := newAPI(t, httpapi.Config{}, func(context.Context) error { return nil })
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/categories", stalled(func() {
				if ended {
					cancel()
				}
			}))
			r.Header.Set("X-Api-Key", a.key)
			w := a.serve(r)
			is.Equal(w.Code, 408)
			is.Equal(w.Body.String(), `{"errors":[{"status":"408","title":"Request Timeout","detail":"Timed out reading the body","source":{}}]}`)
			is.True(!strings.Contains(a.log.String(), "level=ERROR"))
		})
	}
}

// stalled is a request body whose client sends nothing. Reading it times out.
type stalled func()

// Read calls s and returns a timeout.
func (s stalled) Read([]byte) (int, error) {
	s()
	return 0, &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}
}

// The middleware does not recover http.ErrAbortHandler.
func TestAbort(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, func(context.Context) error { panic(http.ErrAbortHandler) })
	defer func() { is.Equal(recover(), http.ErrAbortHandler) }()
	a.get(t.Context(), "/v1/categories")
	t.Fatal("the panic went no further")
}

func TestLog(t *testing.T) {
	a := newAPI(t, httpapi.Config{}, fine)
	tests := []struct {
		name, path string
		want       []string
	}{
		{"a route", "/v1/categories?q=augusta@example.test&api_key=" + a.key, []string{
			"level=INFO", "msg=request", "method=GET", "route=/v1/categories", "path=/v1/categories", "status=200",
			"bytes=", "duration_ms=", "request_id=", "school=" + a.school, "key=",
		}},
		{"an id", "/v1/people/00000000-0000-4000-8000-0000000000a1", []string{
			"route=/v1/people/:id", "path=/v1/people/00000000-0000-4000-8000-0000000000a1", "status=404",
		}},
		{"an address in the path", "/v1/people/augusta%40example.test", []string{"path=/v1/people/…"}},
		{"a key in the path", "/v1/people/" + a.key, []string{"path=/v1/people/…"}},
		{"an address escaped twice", "/v1/people/augusta%2540example.test", []string{"path=/v1/people/…"}},
		{"the token of an invitation", "/invitations/" + strings.Repeat("5", 40), []string{"route=/invitations/:id", "path=/invitations/…", "status=404"}},
		{"a line break", "/v1/people/x%0Alevel=ERROR", []string{"path=/v1/people/…"}},
		{"no route", "/nothing", []string{`route=""`, "path=/…", "status=404"}},
		{"a permalink", "/v2/courses/deep-work", []string{"path=/v2/courses/deep-work"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a.log.Reset()
			a.get(t.Context(), tt.path)
			line := a.log.String()
			is.Equal(strings.Count(line, "\n"), 1)
			for _, want := range tt.want {
				is.True(strings.Contains(line, want)) // the log line contains this text
			}
			for _, never := range []string{a.key, "augusta", "@", "level=ERROR"} {
				is.True(!strings.Contains(line, never)) // must not be logged
			}
		})
	}
	t.Run("a method of the client's own", func(t *testing.T) {
		is := is.New(t)
		a.log.Reset()
		r := newRequest(t, "/v1/categories")
		r.Method = a.key
		is.Equal(a.serve(r).Code, 401)
		is.True(strings.Contains(a.log.String(), "method=…"))
		is.True(!strings.Contains(a.log.String(), "school="))
	})
}

// A panic after the start of the response aborts the connection, so that a truncated response does
// not look complete.
func TestPanicAfterStartOfResponse(t *testing.T) {
	is := is.New(t)
	a := newAPI(t, httpapi.Config{}, fine)
	r := newRequest(t, "/healthz")
	defer func() {
		is.Equal(recover(), http.ErrAbortHandler)
		is.True(strings.Contains(a.log.String(), "msg=panic"))
	}()
	a.handler.ServeHTTP(brokenWriter{httptest.NewRecorder()}, r)
	t.Fatal("the panic went no further")
}

// brokenWriter panics when a body is written.
type brokenWriter struct{ *httptest.ResponseRecorder }

func (brokenWriter) Write([]byte) (int, error) { panic("broken") }
