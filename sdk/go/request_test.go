package lyceum_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	lyceum "lyceum/sdk/go"
)

// answers is a handler that sends the given responses one after another, and records the requests.
type answers struct {
	responses []answer
	bodies    []string
	keys      []string // values of Idempotency-Key
}

type answer struct {
	status     int // 0: the server closes the connection
	retryAfter string
	body       string
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.bodies, a.keys = append(a.bodies, string(body)), append(a.keys, r.Header.Get("Idempotency-Key"))
	next := a.responses[0]
	a.responses = a.responses[1:]
	if next.status == 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Retry-After", next.retryAfter)
	w.WriteHeader(next.status)
	_, _ = io.WriteString(w, next.body)
}

const created = `{"data": {"type": "groups", "id": "1", "attributes": {"name": "Evening"}}}`

func TestRetries(t *testing.T) {
	busy, late, done := answer{503, "0", ""}, answer{429, "2", ""}, answer{201, "", created}
	for _, test := range []struct {
		name      string
		responses []answer
		requests  int
		status    int // status of the error; 0: no error
	}{
		{"503, 429 and a broken connection are sent again", []answer{busy, {429, "0", ""}, {}, done}, 4, 0},
		{"the retries are bounded", []answer{busy, busy, busy, busy, done}, 4, 503},
		{"a wait beyond the limit is not begun", []answer{late, done}, 1, 429},
		{"422 is not sent again", []answer{{422, "", `{"errors": [{"detail": "can't be blank"}]}`}, done}, 1, 422},
		{"500 is not sent again", []answer{{500, "", "oops"}, done}, 1, 500},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := &answers{responses: test.responses}
			server := httptest.NewServer(a)
			defer server.Close()
			client, err := lyceum.New(server.URL, "key", lyceum.WithRetries(3, time.Second))
			noErr(t, err)
			group, err := client.Groups.Create(t.Context(), lyceum.NewGroup{Name: "Evening"})
			equal(t, len(a.bodies), test.requests)
			equal(t, len(slices.Compact(a.keys)), 1)
			equal(t, slices.Compact(a.bodies), []string{`{"data":{"attributes":{"name":"Evening"}}}`})
			if test.status == 0 {
				noErr(t, err)
				equal(t, group.Attributes.Name, "Evening")
				equal(t, a.keys[0] != "", true)
			} else if !lyceum.HasStatus(err, test.status) {
				t.Fatalf("got %v, want %d", err, test.status)
			}
		})
	}
}

func TestContextEndsTheWait(t *testing.T) {
	a := &answers{responses: []answer{{503, "5", ""}, {201, "", created}}}
	server := httptest.NewServer(a)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	client, err := lyceum.New(server.URL, "key", lyceum.WithHTTPClient(&http.Client{Transport: endsContext{cancel}}))
	noErr(t, err)
	_, err = client.Groups.Create(ctx, lyceum.NewGroup{Name: "Evening"})
	if !lyceum.HasStatus(err, 503) { // a second attempt would return context.Canceled
		t.Fatalf("got %v, want 503", err)
	}
	equal(t, len(a.bodies), 1)
}

// endsContext is a transport that cancels the context of a request when the whole response has
// arrived.
type endsContext struct{ cancel context.CancelFunc }

func (e endsContext) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	e.cancel()
	return resp, err
}

func TestRateLimitOfTheServer(t *testing.T) {
	url, key := demo(t, "--rates.key", "60") // 60 requests per minute
	client, err := lyceum.New(url, key)
	noErr(t, err)
	for range 61 {
		_, err := client.School.Get(t.Context())
		noErr(t, err)
	}
	impatient, err := lyceum.New(url, key, lyceum.WithRetries(0, 0))
	noErr(t, err)
	for range 60 {
		if _, err = impatient.School.Get(t.Context()); err != nil {
			break
		}
	}
	if !lyceum.HasStatus(err, 429) {
		t.Fatalf("got %v, want 429", err)
	}
}

func TestErrors(t *testing.T) {
	url, key := demo(t)
	client, err := lyceum.New(url, key)
	noErr(t, err)
	_, err = client.Categories.Create(t.Context(), lyceum.NewCategory{})
	var refused *lyceum.ResponseError
	equal(t, errors.As(err, &refused), true)
	equal(t, err.Error(), "lyceum: 422 Unprocessable Entity: /data/attributes/name: can't be blank")
	equal(t, []any{refused.Status, refused.Errors[0].Detail, refused.Errors[0].Part()}, []any{422, "can't be blank", "/data/attributes/name"})
	equal(t, len(refused.RequestID) > 0, true)

	stranger, err := lyceum.New(url, "lyc_wrong")
	noErr(t, err)
	if _, err = stranger.School.Get(t.Context()); !lyceum.HasStatus(err, 401) {
		t.Fatalf("got %v, want 401", err)
	}
	for _, base := range []string{"", "127.0.0.1:8080", "ftp://example.test"} {
		if _, err := lyceum.New(base, key); err == nil {
			t.Fatalf("the base URL %q is accepted", base)
		}
	}
}
