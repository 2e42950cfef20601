package httpapi

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
	"lyceum/adapters/httpapi/redact"
	"lyceum/domain/fault"
)

const (
	// statusClientGone is what the log shows when the client went away before
	// there was an answer; nobody receives it.
	statusClientGone = 499
	// retryAfter is the number of seconds after which a client that was turned
	// away may ask again.
	retryAfter = "1"
	// defectDetail is all that a client learns of a defect; the request id finds
	// the rest in the log.
	defectDetail = "Something went wrong on our side"
	// allowHeader names the methods of a path.
	allowHeader = "Allow"
	// challenge is the WWW-Authenticate header of every 401: the schemes under which a
	// key is accepted, without the query parameter, which is not a scheme.
	challenge = `Bearer realm="lyceum", X-Api-Key realm="lyceum"`
)

// statuses says which status each kind of fault has.
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
}

// statusOf returns the status of a kind of fault.
func statusOf(k fault.Kind) int { return statuses[k] }

// refusal is a failure of the exchange itself, for which the domain has no word.
type refusal struct {
	status int
	detail string
	header string // the header at fault; empty when it is none
}

// Error returns the status and the detail.
func (r *refusal) Error() string { return fmt.Sprintf("%d: %s", r.status, r.detail) }

func refusef(status int, format string, args ...any) error {
	return &refusal{status: status, detail: fmt.Sprintf(format, args...)}
}

// unread says why what the client sends came to err before its end. Who is slow is
// still there, and is told so.
func unread(what string, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return refusef(http.StatusRequestTimeout, "The %s did not arrive in time", what)
	}
	return refusef(http.StatusBadRequest, "The %s could not be read to its end", what)
}

// isSlow tells whether err is of a client that is too slow. The library takes it
// for gone then.
func isSlow(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status == http.StatusRequestTimeout
}

// fail answers with err, and nobody after it answers. It is the only place that
// writes errors, and logs those of which the client is not told everything.
func (r *responder) fail(c *gin.Context, err error) {
	c.Abort()
	ctx := c.Request.Context()
	if errors.Is(ctx.Err(), context.Canceled) && !isSlow(err) {
		c.Status(statusClientGone)
		return
	}
	errs := describe(err)
	switch {
	case errs != nil:
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded):
		errs = describe(fault.Busyf("The request took too long"))
	default:
		r.log.ErrorContext(ctx, "request failed", "request_id", exchangeOf(c).requestID, "error", redact.Text(err.Error()))
		errs = describe(refusef(http.StatusInternalServerError, defectDetail))
	}
	status, _ := strconv.Atoi(errs[0].Status)
	if status != http.StatusMethodNotAllowed {
		c.Writer.Header().Del(allowHeader) // gin sets it before anybody may know that the path exists
	}
	if status == http.StatusTooManyRequests {
		r.lanes.Delay.Wait(ctx)
	}
	if status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", challenge)
	}
	if status == http.StatusServiceUnavailable || status == http.StatusInsufficientStorage {
		r.log.WarnContext(ctx, "request turned away", "request_id", exchangeOf(c).requestID, "error", redact.Text(err.Error()))
		c.Header("Retry-After", retryAfter)
	}
	_ = r.write(c, status, jsonapi.Errors{Errors: errs}) // texts can always be encoded
}

// describe returns what a client is told of err, nil when it must not be told.
func describe(err error) []jsonapi.Error {
	if exceeded := limits.RateError(""); errors.As(err, &exceeded) {
		return []jsonapi.Error{newError(http.StatusTooManyRequests, exceeded.Error())}
	}
	var refused *refusal
	if errors.As(err, &refused) {
		told := newError(refused.status, refused.detail)
		told.Source.Header = refused.header
		return []jsonapi.Error{told}
	}
	var errs []jsonapi.Error
	all := fault.All(err)
	for _, f := range all[:min(request.MaxFaults, len(all))] {
		e := newError(statusOf(f.Kind), f.Detail)
		e.Source = jsonapi.Source{Pointer: request.Pointer(f), Parameter: f.Param}
		if f.Holder != nil {
			e.Meta = takenMeta{Original: holder{Type: f.Holder.Type, UUID: f.Holder.ID.String()}}
		}
		if f.Counts != nil {
			e.Meta = heldMeta{Held: f.Counts}
		}
		errs = append(errs, e)
	}
	return errs
}

// takenMeta names the record that already has a value that must be unique.
type takenMeta struct {
	Original holder `json:"original"`
}

// heldMeta tells how much stands in the way.
type heldMeta struct {
	Held map[string]int64 `json:"held"`
}

type holder struct {
	Type string `json:"type"`
	UUID string `json:"uuid"`
}

func newError(status int, detail string) jsonapi.Error {
	title := http.StatusText(status)
	switch status {
	case http.StatusUnprocessableEntity:
		title = "Invalid Attribute"
	case http.StatusRequestEntityTooLarge:
		title = "Content Too Large" // as RFC 9110 has it; the library knows its former name
	}
	return jsonapi.Error{Status: strconv.Itoa(status), Title: title, Detail: detail}
}

// step returns the middleware or handler that runs check and answers with its error.
func (r *responder) step(check func(c *gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := check(c); err != nil {
			r.fail(c, err)
		}
	}
}
