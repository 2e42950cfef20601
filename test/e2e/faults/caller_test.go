package faults

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/matryer/is"
)

// fake is a server that returns the given responses in turn and then repeats the last response.
type fake struct {
	answers []exchange
	keys    []string // received Idempotency-Keys
}

// ServeHTTP returns the next response. If the response has no status, ServeHTTP breaks the
// connection.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := f.answers[0]
	if len(f.answers) > 1 {
		f.answers = f.answers[1:]
	}
	f.keys = append(f.keys, r.Header.Get("Idempotency-Key"))
	if a.status == 0 {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

// newClient returns a client of the server f.
func newClient(t *testing.T, f *fake) *client {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	one := newCaller([]*server{{url: s.URL}}, "key", rand.New(rand.NewPCG(1, 1)), &tally{})
	t.Cleanup(one.close)
	return &client{caller: one, no: 1}
}

// TestWriteIsRepeatedUntilCertain checks that a write is retried with the same key until its
// response is certain, and is counted only then.
func TestWriteIsRepeatedUntilCertain(t *testing.T) {
	for name, tt := range map[string]struct {
		answers  []exchange
		outcome  Outcome
		requests int
		want     []string
	}{
		"at once":               {[]exchange{{status: 201}}, Acknowledged, 1, nil},
		"after a broken answer": {[]exchange{{}, {status: 201}}, Acknowledged, 2, nil},
		"after a timeout":       {[]exchange{{status: 408}, {status: 201}}, Acknowledged, 2, nil},
		"after a defect":        {[]exchange{{status: 500}, {status: 201}}, Acknowledged, 2, []string{Defect}},
		"refused":               {[]exchange{{status: 422}}, Refused, 1, []string{Defect}},
		"never":                 {[]exchange{{}}, Unknown, -1, []string{Stuck}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			f := &fake{answers: tt.answers}
			c := newClient(t, f)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if tt.outcome == Unknown {
				ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
			}
			defer cancel()
			c.do(ctx, pendingWrite{request: post(201, "/v2/people", "{}")})
			is.Equal(c.history[0].Outcome, tt.outcome)
			is.Equal(classes(c.tally.Violations), tt.want)
			for _, key := range f.keys {
				is.True(key != "" && key == f.keys[0])
			}
			if tt.requests > 0 {
				is.True(len(f.keys) >= tt.requests && c.tally.Requests == len(f.keys))
				is.Equal(c.tally.Repeated >= tt.requests-1, true)
			}
		})
	}
}

// TestRepeatGetsRecordedResponse checks that it is a violation if the response to a retry differs
// from the first response.
func TestRepeatGetsRecordedResponse(t *testing.T) {
	for name, tt := range map[string]struct {
		second exchange
		want   []string
	}{
		"the same":       {exchange{status: 201, body: []byte("1")}, nil},
		"another record": {exchange{status: 201, body: []byte("2")}, []string{Different}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newClient(t, &fake{answers: []exchange{{status: 201, body: []byte("1")}, tt.second}})
			r := post(201, "/v2/people", "{}")
			first, ok := c.sendUntilCertain(t.Context(), r)
			is.True(ok && c.repeat(t.Context(), r, first))
			is.Equal(classes(c.tally.Violations), tt.want)
		})
	}
}
