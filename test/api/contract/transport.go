package contract

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Transport sends requests and compares both requests and responses with the description. It
// returns an error if a response differs from the description, or if the description does not allow
// an accepted request. Use it as the transport of a test's HTTP client.
type Transport struct {
	Contract *Contract
	Next     http.RoundTripper // nil: http.DefaultTransport
}

// RoundTrip implements http.RoundTripper.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := t.Next
	if next == nil {
		next = http.DefaultTransport
	}
	sent, err := bodyOf(r)
	if err != nil {
		return nil, err
	}
	resp, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	problems := t.Contract.Problems(Response{
		Method: r.Method, Path: r.URL.EscapedPath(), Status: resp.StatusCode, Header: resp.Header, Body: body,
		Selected: strings.Contains(r.URL.RawQuery, "fields") || strings.HasPrefix(r.Header.Get("X-Api-Key"), "lyt_"),
	})
	// The status 202 accepts the request as a whole. Invalid rows fail later.
	if resp.StatusCode < http.StatusBadRequest && resp.StatusCode != http.StatusAccepted {
		problems = append(problems, t.Contract.RequestProblems(Request{
			Method: r.Method, Path: r.URL.EscapedPath(), Header: r.Header, Body: sent,
		})...)
	}
	if problems != nil {
		return nil, fmt.Errorf("%s %s: the response differs from the description: %s\n%.2000s",
			r.Method, r.URL.Path, strings.Join(problems, "; "), body)
	}
	return resp, nil
}

// bodyOf returns the body that r is about to send, or nil if it can be read only once.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.GetBody == nil {
		return nil, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }()
	return io.ReadAll(body)
}
