package lyceum

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ResponseError is a response of the API with a status of 400 or more.
type ResponseError struct {
	Status    int
	Errors    []Error // empty if the body is not an error document of the API
	RequestID string  // ID of the request in the log of the server
}

// Error returns the status and the details, each with the part of the request that it concerns.
func (e *ResponseError) Error() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "lyceum: %d %s", e.Status, http.StatusText(e.Status))
	for i, one := range e.Errors {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		if part := one.Part(); part != "" {
			b.WriteString(part + ": ")
		}
		b.WriteString(one.Detail)
	}
	return b.String()
}

// Part returns the JSON pointer, parameter or header that the error concerns, or "" if it concerns
// no particular part.
func (e Error) Part() string {
	for _, part := range []*string{e.Source.Pointer, e.Source.Parameter, e.Source.Header} {
		if part != nil {
			return *part
		}
	}
	return ""
}

// HasStatus reports whether err is a ResponseError with the status.
func HasStatus(err error, status int) bool {
	var e *ResponseError
	return errors.As(err, &e) && e.Status == status
}

func newResponseError(resp *http.Response, body []byte) *ResponseError {
	var document struct {
		Errors []Error `json:"errors"`
	}
	_ = json.Unmarshal(body, &document) // a proxy may respond with another kind of document
	return &ResponseError{Status: resp.StatusCode, Errors: document.Errors, RequestID: resp.Header.Get("X-Request-Id")}
}
