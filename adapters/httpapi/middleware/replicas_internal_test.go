package middleware

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
)

func TestMaxStale(t *testing.T) {
	const forever = 1<<63 - 1
	for header, want := range map[string]time.Duration{
		"": -1, "no-cache": -1, "max-stale": forever, "Max-Stale=5": 5 * time.Second, `no-transform, max-stale="7"`: 7 * time.Second,
		"max-stale=": -1, "max-stale=-1": -1, "max-stale=x": -1, "max-stale=99999999999": -1, "max-age=3": -1,
	} {
		got, ok := maxStale(http.Header{"Cache-Control": {header}})
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestWriters(t *testing.T) {
	is := is.New(t)
	w := &writers{age: 30 * time.Millisecond, of: map[uuid.UUID]writer{}}
	a, b := uuid.New(), uuid.New()
	w.begin(a)
	w.begin(a)
	w.end(a)
	time.Sleep(40 * time.Millisecond)
	is.True(w.recent(a)) // a request is running
	is.True(!w.recent(b))
	w.end(a)
	is.True(w.recent(a))
	time.Sleep(40 * time.Millisecond)
	is.True(!w.recent(a))
	for range maxWriters + 1 {
		w.begin(b)
		w.end(b)
		b = uuid.New()
	}
	is.True(len(w.of) <= maxWriters+1)
	_, kept := w.of[a]
	is.True(!kept) // a has not written recently
}
