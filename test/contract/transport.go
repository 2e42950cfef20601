package contract

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Transport makes requests and lets no answer through that is not as the
// description says: it is an error instead. Put it in the client of a test.
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
	problems := t.Contract.Problems(Answer{
		Method: r.Method, Path: r.URL.EscapedPath(), Status: resp.StatusCode, Header: resp.Header, Body: body,
	})
	if problems != nil {
		return nil, fmt.Errorf("%s %s: the answer is not as described: %s\n%.2000s",
			r.Method, r.URL.Path, strings.Join(problems, "; "), body)
	}
	return resp, nil
}
