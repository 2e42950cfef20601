package respond

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/redact"
	"lyceum/domain/fault"
)

const (
	// statusClientClosed is the logged status of a request whose client disconnected
	// before the response; it is never sent.
	statusClientClosed = 499
	// RetryAfter is the Retry-After header, in seconds, of a request that was refused
	// because the server is busy.
	RetryAfter = "1"
	// DefectDetail is the detail of every 500. The log has the cause under the request ID.
	DefectDetail = fault.DefectDetail
	// AllowHeader is the name of the header that lists the methods of a path.
	AllowHeader = "Allow"
	// challenge is the WWW-Authenticate header of a 401 for a request without credentials. It lists
	// the schemes with which a key can be sent; the query parameter is not a scheme.
	challenge = `Bearer realm="lyceum", X-Api-Key realm="lyceum"`
	// invalidToken is the WWW-Authenticate header of a 401 for credentials that are not valid (RFC
	// 6750, section 3).
	invalidToken = `Bearer realm="lyceum", error="invalid_token", X-Api-Key realm="lyceum"`
)

// statuses maps the kinds of faults to HTTP statuses.
var statuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusUnprocessableEntity,
	fault.Malformed:       http.StatusBadRequest,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.Forbidden:       http.StatusForbidden,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Gone:            http.StatusGone,
	fault.Full:            http.StatusInsufficientStorage,
	fault.Defect:          http.StatusInternalServerError,
}

// StatusOf returns the HTTP status of a kind of fault.
func StatusOf(k fault.Kind) int { return statuses[k] }

// HTTPError is an error of the request itself, which is not a fault of the domain.
type HTTPError struct {
	Status int
	Detail string
	Header string // the invalid header; empty: none
}

// Error returns the status and the detail.
func (r *HTTPError) Error() string { return fmt.Sprintf("%d: %s", r.Status, r.Detail) }

// HTTPErrorf returns an *HTTPError with a formatted detail.
func HTTPErrorf(status int, format string, args ...any) error {
	return &HTTPError{Status: status, Detail: fmt.Sprintf(format, args...)}
}

// ReadError returns the HTTPError for a failed read of the request: 408 if the client was too slow,
// otherwise 400. what names the part that was read, such as body.
func ReadError(what string, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return HTTPErrorf(http.StatusRequestTimeout, "Timed out reading the %s", what)
	}
	return HTTPErrorf(http.StatusBadRequest, "Could not read the whole %s", what)
}

// isSlow reports whether err means that the client was too slow. In that case net/http cancels the
// context of the request, as if the client had disconnected.
func isSlow(err error) bool {
	var r *HTTPError
	return errors.As(err, &r) && r.Status == http.StatusRequestTimeout
}

// Fail responds with err and aborts the chain of handlers. It writes every error response of the
// API. It logs err if it is hidden from the client, or if the status is 503 or 507.
func (r *Responder) Fail(c *gin.Context, err error) {
	c.Abort()
	ctx := c.Request.Context()
	if errors.Is(ctx.Err(), context.Canceled) && !isSlow(err) {
		c.Status(statusClientClosed)
		return
	}
	errs := describeErrors(err)
	switch {
	case errs != nil:
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded):
		errs = describeErrors(fault.Unavailablef("The request took too long"))
	default:
		r.Log.ErrorContext(ctx, "request failed", "request_id", StateOf(c).RequestID, "error", redact.Text(err.Error()))
		errs = describeErrors(HTTPErrorf(http.StatusInternalServerError, DefectDetail))
	}
	status, _ := strconv.Atoi(errs[0].Status)
	if status != http.StatusMethodNotAllowed {
		c.Writer.Header().Del(AllowHeader) // gin sets it before authentication; it would reveal that the path exists
	}
	if status == http.StatusTooManyRequests {
		r.Lanes.Delay.Wait(ctx)
	}
	if status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", challenge)
		if StateOf(c).Presented {
			c.Header("WWW-Authenticate", invalidToken)
		}
	}
	if status == http.StatusServiceUnavailable || status == http.StatusInsufficientStorage {
		r.Log.WarnContext(ctx, "request rejected", "request_id", StateOf(c).RequestID, "error", redact.Text(err.Error()))
		c.Header("Retry-After", RetryAfter)
	}
	if x := StateOf(c); x.Route != nil && x.Route.FailurePage != nil && x.Route.FailurePage(c, status) {
		return
	}
	_ = r.Write(c, status, jsonapi.Errors{Errors: errs}) // never fails for texts
}

// describeErrors returns the errors of the response, or nil if err must be hidden from the client.
func describeErrors(err error) []jsonapi.Error {
	if exceeded := limits.RateError(""); errors.As(err, &exceeded) {
		return []jsonapi.Error{NewError(http.StatusTooManyRequests, exceeded.Error())}
	}
	var refused *HTTPError
	if errors.As(err, &refused) {
		failure := NewError(refused.Status, refused.Detail)
		failure.Source.Header = refused.Header
		return []jsonapi.Error{failure}
	}
	var errs []jsonapi.Error
	all := fault.All(err)
	for _, f := range all[:min(request.MaxFaults, len(all))] {
		e := NewError(StatusOf(f.Kind), f.Detail)
		e.Source = jsonapi.Source{Pointer: request.Pointer(f), Parameter: f.Param}
		if f.Holder != nil {
			e.Meta = TakenMeta{Original: Holder{Type: f.Holder.Type, UUID: f.Holder.ID.String()}}
		}
		if f.Counts != nil {
			e.Meta = countsMeta{Held: f.Counts}
		}
		errs = append(errs, e)
	}
	return errs
}

// TakenMeta is the meta of an error about a unique value. It names the record that already has the
// value.
type TakenMeta struct {
	Original Holder `json:"original"`
}

// countsMeta is the meta of a conflict: the number of records of each type that prevent the
// request.
type countsMeta struct {
	Held map[string]int64 `json:"held"`
}

// Holder is the type and the ID of a record.
type Holder struct {
	Type string `json:"type"`
	UUID string `json:"uuid"`
}

// NewError returns the error object of a response with the given status.
func NewError(status int, detail string) jsonapi.Error {
	title := http.StatusText(status)
	switch status {
	case http.StatusUnprocessableEntity:
		title = "Invalid Attribute"
	case http.StatusRequestEntityTooLarge:
		title = "Content Too Large" // the name in RFC 9110; net/http has an older name
	}
	return jsonapi.Error{Status: strconv.Itoa(status), Title: title, Detail: detail}
}

// Guard returns a gin handler that calls check and responds with its error, if any.
func (r *Responder) Guard(check func(c *gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := check(c); err != nil {
			r.Fail(c, err)
		}
	}
}
