package lyceum

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"math"
	mathrand "math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// RequestOption configures one request.
type RequestOption func(*request)

// IdempotencyKey makes a POST use the given idempotency key instead of a random one. Within 24
// hours, the API executes requests with the same key only once, even if different processes send
// them.
func IdempotencyKey(key string) RequestOption {
	return func(r *request) { r.idempotencyKey = key }
}

type request struct {
	method, url    string
	body           any // nil: none
	idempotencyKey string
}

// send sends a request, with the retries of WithRetries, and decodes the response into out unless
// out is nil.
func (c *Client) send(ctx context.Context, method, url string, body, out any, options ...RequestOption) error {
	r := request{method: method, url: url, body: body}
	if method == http.MethodPost {
		r.idempotencyKey = rand.Text()
	}
	for _, option := range options {
		option(&r)
	}
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	for attempt := 1; ; attempt++ {
		wait, err := c.try(ctx, r, text, out)
		if err == nil || wait < 0 || wait > c.maxWait || attempt == c.attempts {
			return err
		}
		if wait == 0 {
			wait = backoff(attempt)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// try sends the request once. If it fails, try returns the time after which the request can be sent
// again: 0 if the client may choose the time, and a negative value if the request must not be sent
// again.
func (c *Client) try(ctx context.Context, r request, body []byte, out any) (time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	req.Header.Set("X-Api-Key", c.key)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.idempotencyKey != "" {
		req.Header.Set("Idempotency-Key", r.idempotencyKey)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return again(ctx), err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return again(ctx), err
	}
	switch {
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusServiceUnavailable:
		return retryAfter(resp), newResponseError(resp, text)
	case resp.StatusCode >= http.StatusBadRequest:
		return -1, newResponseError(resp, text)
	case out == nil || resp.StatusCode == http.StatusNoContent:
		return -1, nil
	}
	return -1, json.Unmarshal(text, out)
}

// again returns the result of try for a broken connection.
func again(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return -1
	}
	return 0
}

func retryAfter(resp *http.Response) time.Duration {
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, math.MaxInt32)) * time.Second
}

// backoff returns a random duration. Its maximum starts at a quarter of a second and doubles with
// each attempt.
func backoff(attempt int) time.Duration {
	whole := 250 * time.Millisecond << min(attempt-1, 10)
	return whole/2 + mathrand.N(whole/2)
}
