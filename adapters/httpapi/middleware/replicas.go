package middleware

import (
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
)

// Replicas serve reads instead of the store.
type Replicas interface {
	// Route returns a context whose reads are served by a replica whose state is at most oldest
	// old, and the age of that state. It reports false if there is no such replica.
	Route(ctx context.Context, oldest time.Duration) (context.Context, time.Duration, bool)
}

// ReplicaReads says which requests may be served by replicas.
type ReplicaReads struct {
	Replicas  Replicas      // nil: there are none
	Age       time.Duration // maximum age of the state of a replica
	Exports   bool          // exports of a school, and whole lists as CSV
	Analytics bool          // analytics
	Lists     bool          // lists whose client sends Cache-Control: max-stale
}

// replicaReads returns the handler that routes requests to replicas. The response has the header
// Age: the state that it shows is at most that many seconds old. A key that has written within the
// maximum age reads from the store, so that it sees its own writes.
func replicaReads(cfg ReplicaReads) gin.HandlerFunc {
	if cfg.Replicas == nil {
		return func(*gin.Context) {}
	}
	w := &writers{age: cfg.Age, of: map[uuid.UUID]writer{}}
	return func(c *gin.Context) {
		key := respond.StateOf(c).Actor.Credential()
		if !respond.IsRead(c.Request.Method) {
			w.begin(key)
			defer w.end(key)
			c.Next()
			return
		}
		oldest, ok := cfg.oldest(c)
		if !ok || w.recent(key) {
			return
		}
		ctx, age, ok := cfg.Replicas.Route(c.Request.Context(), oldest)
		if !ok {
			return
		}
		c.Request = c.Request.WithContext(ctx)
		c.Header("Age", strconv.Itoa(int(math.Ceil(age.Seconds()))))
	}
}

// oldest returns the maximum age of the state from which the request may be served. It reports
// false if the request needs the store.
func (cfg ReplicaReads) oldest(c *gin.Context) (time.Duration, bool) {
	x := respond.StateOf(c)
	switch {
	case x.Whole && cfg.Exports:
		return cfg.Age, true
	case x.Route.Class == limits.Export:
		// With ids, an export has its position in the change feed, which a replica does not have.
		return cfg.Age, cfg.Exports && !slices.Contains(x.Query, respond.Parameter{Name: "ids", Value: "true"})
	case x.Route.Analytics && cfg.Analytics:
		return cfg.Age, true
	case x.Route.List && cfg.Lists:
		return maxStale(c.Request.Header)
	}
	return 0, false
}

// maxStale returns the value of the directive max-stale (RFC 9111, section 5.2.1.2), or the maximum
// if it has no value, and whether there is one.
func maxStale(h http.Header) (time.Duration, bool) {
	for _, line := range h.Values("Cache-Control") {
		for directive := range strings.SplitSeq(line, ",") {
			name, value, valued := strings.Cut(strings.TrimSpace(directive), "=")
			if !strings.EqualFold(name, "max-stale") {
				continue
			}
			if !valued {
				return math.MaxInt64, true
			}
			seconds, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 31)
			return time.Duration(seconds) * time.Second, err == nil
		}
	}
	return 0, false
}

// writers records which keys have written recently.
type writers struct {
	age time.Duration
	mu  sync.Mutex
	of  map[uuid.UUID]writer
}

type writer struct {
	running int // requests
	last    time.Time
}

// maxWriters is the number of keys above which writers removes keys that have not written recently.
const maxWriters = 1000

func (w *writers) begin(key uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := w.of[key]
	of.running++
	w.of[key] = of
}

func (w *writers) end(key uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of[key] = writer{w.of[key].running - 1, time.Now()}
	if len(w.of) > maxWriters {
		for key, of := range w.of {
			if !w.isRecent(of) {
				delete(w.of, key)
			}
		}
	}
}

func (w *writers) isRecent(of writer) bool { return of.running > 0 || time.Since(of.last) <= w.age }

func (w *writers) recent(key uuid.UUID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.isRecent(w.of[key])
}
