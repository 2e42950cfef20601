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
	"lyceum/adapters/httpapi/redact"
	"lyceum/domain/fault"
)

const (
	// statusClientGone is what the log shows when the client went away before
	// there was an answer; nobody receives it.
	statusClientGone = 499
	// RetryAfter is the number of seconds after which a client that was turned
	// away may ask again.
	RetryAfter = "1"
	// DefectDetail is all that a client learns of a defect; the request id finds
	// the rest in the log.
	DefectDetail = "Something went wrong on our side"
	// AllowHeader names the methods of a path.
	AllowHeader = "Allow"
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

// StatusOf returns the status of a kind of fault.
func StatusOf(k fault.Kind) int { return statuses[k] }

// RefusalError is a failure of the request itself, for which the domain has no word.
type RefusalError struct {
	Status int
	Detail string
	Header string // the header at fault; empty when it is none
}

// Error returns the status and the detail.
func (r *RefusalError) Error() string { return fmt.Sprintf("%d: %s", r.Status, r.Detail) }

// Refusef returns a RefusalError.
func Refusef(status int, format string, args ...any) error {
	return &RefusalError{Status: status, Detail: fmt.Sprintf(format, args...)}
}

// Unread says why what the client sends came to err before its end. Who is slow is
// still there, and is told so.
func Unread(what string, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return Refusef(http.StatusRequestTimeout, "The %s did not arrive in time", what)
	}
	return Refusef(http.StatusBadRequest, "The %s could not be read to its end", what)
}

// isSlow tells whether err is of a client that is too slow. The library takes it
// for gone then.
func isSlow(err error) bool {
	var r *RefusalError
	return errors.As(err, &r) && r.Status == http.StatusRequestTimeout
}

// Fail answers with err, and nobody after it answers. It is the only place that
// writes errors, and logs those of which the client is not told everything.
func (r *Responder) Fail(c *gin.Context, err error) {
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
		r.Log.ErrorContext(ctx, "request failed", "request_id", StateOf(c).RequestID, "error", redact.Text(err.Error()))
		errs = describe(Refusef(http.StatusInternalServerError, DefectDetail))
	}
	status, _ := strconv.Atoi(errs[0].Status)
	if status != http.StatusMethodNotAllowed {
		c.Writer.Header().Del(AllowHeader) // gin sets it before anybody may know that the path exists
	}
	if status == http.StatusTooManyRequests {
		r.Lanes.Delay.Wait(ctx)
	}
	if status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", challenge)
	}
	if status == http.StatusServiceUnavailable || status == http.StatusInsufficientStorage {
		r.Log.WarnContext(ctx, "request turned away", "request_id", StateOf(c).RequestID, "error", redact.Text(err.Error()))
		c.Header("Retry-After", RetryAfter)
	}
	_ = r.Write(c, status, jsonapi.Errors{Errors: errs}) // texts can always be encoded
}

// describe returns what a client is told of err, nil when it must not be told.
func describe(err error) []jsonapi.Error {
	if exceeded := limits.RateError(""); errors.As(err, &exceeded) {
		return []jsonapi.Error{NewError(http.StatusTooManyRequests, exceeded.Error())}
	}
	var refused *RefusalError
	if errors.As(err, &refused) {
		told := NewError(refused.Status, refused.Detail)
		told.Source.Header = refused.Header
		return []jsonapi.Error{told}
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
			e.Meta = heldMeta{Held: f.Counts}
		}
		errs = append(errs, e)
	}
	return errs
}

// TakenMeta names the record that already has a value that must be unique.
type TakenMeta struct {
	Original Holder `json:"original"`
}

// heldMeta tells how much stands in the way.
type heldMeta struct {
	Held map[string]int64 `json:"held"`
}

// Holder names a record.
type Holder struct {
	Type string `json:"type"`
	UUID string `json:"uuid"`
}

// NewError returns the error of a response with that status.
func NewError(status int, detail string) jsonapi.Error {
	title := http.StatusText(status)
	switch status {
	case http.StatusUnprocessableEntity:
		title = "Invalid Attribute"
	case http.StatusRequestEntityTooLarge:
		title = "Content Too Large" // as RFC 9110 has it; the library knows its former name
	}
	return jsonapi.Error{Status: strconv.Itoa(status), Title: title, Detail: detail}
}

// Step returns the middleware or handler that runs check and answers with its error.
func (r *Responder) Step(check func(c *gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := check(c); err != nil {
			r.Fail(c, err)
		}
	}
}
