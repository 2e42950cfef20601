package contract

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Transport makes requests and compares both sides with the description. An answer
// that is not as described is an error, and so is a request that is accepted although
// the description does not allow it. Put it in the client of a test.
type Transport struct {
	Contract *Contract
	Next     http.RoundTripper // nil: http.DefaultTransport
}

// RoundTrip sends the request and compares the answer.
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
	})
	// 202 says nothing of the rows: wrong ones fail later, alone.
	if resp.StatusCode < http.StatusBadRequest && resp.StatusCode != http.StatusAccepted {
		problems = append(problems, t.Contract.RequestProblems(Request{
			Method: r.Method, Path: r.URL.EscapedPath(), Header: r.Header, Body: sent,
		})...)
	}
	if problems != nil {
		return nil, fmt.Errorf("%s %s: the answer is not as described: %s\n%.2000s",
			r.Method, r.URL.Path, strings.Join(problems, "; "), body)
	}
	return resp, nil
}

// bodyOf returns the body that r is about to send; nil when it can be read only once.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.GetBody == nil {
		return nil, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }() // it was only read
	return io.ReadAll(body)
}
