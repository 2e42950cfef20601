package faults

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// request is a request that a caller sends and retries.
type request struct {
	method, path, key string // key is the Idempotency-Key; blank: none
	contentType       string // blank: JSON
	body              []byte
	expected          []int         // correct statuses
	limit             time.Duration // time limit of the request; 0: longest
}

// caller sends requests to the servers in turn and retries each until its response is certain.
type caller struct {
	servers []*server
	key     string // API key
	http    *http.Client
	rng     *rand.Rand
	tally   *tally
	turn    int
}

// newCaller returns a caller with its own connections.
func newCaller(servers []*server, key string, rng *rand.Rand, y *tally) *caller {
	transport := &http.Transport{MaxIdleConnsPerHost: 2}
	return &caller{servers: servers, key: key, rng: rng, tally: y, http: &http.Client{Transport: transport}}
}

func (c *caller) close() { c.http.CloseIdleConnections() }

// sendUntilCertain repeats the request until its response is certain. It returns false if ctx ends
// first.
func (c *caller) sendUntilCertain(ctx context.Context, r request) (exchange, bool) {
	for again := false; ; again = true {
		t := c.send(ctx, r)
		t.again = again
		if ctx.Err() != nil && t.status == 0 {
			return t, false
		}
		expected := r.expected
		if again && r.method == http.MethodDelete {
			expected = append([]int{http.StatusNotFound}, expected...) // an earlier try may have deleted the record
		}
		c.tally.add(t, expected)
		if t.certain() {
			return t, true
		}
		select {
		case <-ctx.Done():
			return t, false
		case <-time.After(c.pause(t)):
		}
	}
}

// pause returns the delay before a retry: about 100 ms, or about 900 ms if the response has the
// header Retry-After.
func (c *caller) pause(t exchange) time.Duration {
	wait := 50*time.Millisecond + time.Duration(c.rng.Int64N(int64(100*time.Millisecond)))
	if s, err := strconv.Atoi(t.retryAfter); err == nil && s > 0 {
		wait += 800 * time.Millisecond
	}
	return wait
}

// send sends the request to the next server. Its timeout is longer than the server's time limit, so
// that it detects responses that are too slow.
func (c *caller) send(ctx context.Context, r request) (t exchange) {
	c.turn++
	t = exchange{method: r.method, path: r.path, limit: cmp.Or(r.limit, longest)}
	ctx, cancel := context.WithTimeout(ctx, t.limit+10*time.Second)
	defer cancel()
	path := r.path
	if i := strings.Index(path, "://"); i >= 0 { // any server can serve a link with a host
		path = path[i+3:][strings.Index(path[i+3:], "/"):]
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.servers[c.turn%len(c.servers)].url+path, bytes.NewReader(r.body))
	if err != nil {
		t.body = []byte(err.Error())
		return t
	}
	req.GetBody = nil // without GetBody, the transport does not retry
	req.Header.Set("X-Api-Key", c.key)
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	began := time.Now()
	defer func() { t.took = time.Since(began) }()
	resp, err := c.http.Do(req)
	if err != nil {
		t.body = []byte(err.Error())
		return t
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil { // an incomplete response counts as no response
		t.body = []byte(err.Error())
		return t
	}
	t.status, t.retryAfter, t.body = resp.StatusCode, resp.Header.Get("Retry-After"), body
	return t
}
