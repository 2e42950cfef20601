package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Time limits of requests: the server's limit plus one second.
const (
	longest          = 31 * time.Second
	longestStructure = 10*time.Minute + time.Second // such a request may wait for the locks of a lost server
)

// exchange is one request with its response.
type exchange struct {
	method, path string
	status       int // 0: no response
	retryAfter   string
	body         []byte
	took, limit  time.Duration
	again        bool // whether the request is a retry
}

// certain reports whether the response determines the outcome of the request.
func (t exchange) certain() bool {
	return t.status >= 200 && t.status < 500 && t.status != http.StatusRequestTimeout && t.status != http.StatusTooManyRequests
}

// violations returns the violations that are visible in the response alone. expected contains the
// statuses that the client accepts as correct.
func (t exchange) violations(expected []int) []Violation {
	var bad []Violation
	what := fmt.Sprintf("%s %s: %d after %s: %.300s", t.method, t.path, t.status, t.took.Round(time.Millisecond), t.body)
	switch {
	case t.status == http.StatusServiceUnavailable && t.retryAfter == "":
		bad = append(bad, Violation{NoRetry, what})
	case t.status >= 500 && t.status != http.StatusServiceUnavailable,
		t.certain() && !slices.Contains(expected, t.status):
		bad = append(bad, Violation{Defect, what})
	}
	if t.took > t.limit {
		bad = append(bad, Violation{Slow, what})
	}
	return bad
}

// Tally counts the requests of a round.
type Tally struct {
	Requests, Acknowledged, Repeated, Unavailable int
	Longest                                       time.Duration
	Kinds                                         map[string]int // acknowledged writes of each kind
	Violations                                    []Violation
}

// tally is a Tally that is safe for concurrent use.
type tally struct {
	mu sync.Mutex
	Tally
}

func (y *tally) add(t exchange, expected []int) {
	bad := t.violations(expected)
	y.mu.Lock()
	defer y.mu.Unlock()
	y.Requests++
	if t.again {
		y.Repeated++
	}
	if t.status == http.StatusServiceUnavailable {
		y.Unavailable++
	}
	y.Longest = max(y.Longest, t.took)
	y.Violations = append(y.Violations, bad...)
}

func (y *tally) acknowledge(kind string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.Acknowledged++
	if y.Kinds == nil {
		y.Kinds = map[string]int{}
	}
	y.Kinds[kind]++
}

func (y *tally) violate(bad ...Violation) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.Violations = append(y.Violations, bad...)
}

// count returns the number of violations of the given classes and the number of all other
// violations.
func (y *Tally) count(classes ...string) (of, rest int) {
	for _, v := range y.Violations {
		if slices.Contains(classes, v.Class) {
			of++
		} else {
			rest++
		}
	}
	return of, rest
}

// Header is the header of the table of a run. Line returns its rows.
const Header = "fault                   seconds  requests  acknowledged  repeated   503s  longest ms  lost  doubled  other"

// Line returns the row of a round in the table of a run.
func (y *Tally) Line(fault string, took time.Duration) string {
	lost, _ := y.count(Lost, Partial)
	doubled, _ := y.count(Doubled, Twice)
	_, other := y.count(Lost, Partial, Doubled, Twice)
	return fmt.Sprintf("%-22s %8.0f %9d %13d %9d %6d %11d %5d %8d %6d", fault, took.Seconds(), y.Requests, y.Acknowledged,
		y.Repeated, y.Unavailable, y.Longest.Milliseconds(), lost, doubled, other)
}

// Report lists violations, at most a few of each class.
func Report(bad []Violation) string {
	const some = 10
	var b strings.Builder
	shown := map[string]int{}
	for _, v := range bad {
		if shown[v.Class]++; shown[v.Class] <= some {
			fmt.Fprintf(&b, "%s: %s\n", v.Class, v.What)
		}
	}
	for class, n := range shown {
		if n > some {
			fmt.Fprintf(&b, "%s: %d more\n", class, n-some)
		}
	}
	return b.String()
}
