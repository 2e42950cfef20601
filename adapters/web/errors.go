package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"lyceum/adapters/redact"
	"lyceum/domain/fault"
)

var (
	errNotFound = fault.RecordNotFound()
	errForeign  = errors.New("web: another site requested a change")
	errSignIn   = fault.BadCredentials()
	errTooMany  = errors.New("web: too many attempts")
)

// statusClientClosed is the status of a request whose client has closed the connection. It is only
// logged and counted.
const statusClientClosed = 499

// refusal is the data of the page that explains why a request failed.
type refusal struct{ Title, Text string }

// fail responds to a request that failed. It redirects visitors who must sign in to the sign-in
// page.
func (s *Site) fail(x *siteRequest, err error) {
	status, page := x.refusalOf(err)
	if status == http.StatusUnauthorized {
		x.leadToSignIn("")
		return
	}
	if status >= http.StatusInternalServerError {
		s.cfg.Log.ErrorContext(x.r.Context(), "page failed", slog.String("page", x.r.Pattern), slog.String("error", redact.Text(err.Error())))
	}
	x.advise(status)
	if x.render(status, "refusal", page) != nil {
		http.Error(x.w, page.Title, status)
	}
}

// advise tells the client when to try again, if the response with the given status is temporary.
func (x *siteRequest) advise(status int) {
	if status == http.StatusServiceUnavailable {
		x.w.Header().Set("Retry-After", "1")
	}
}

// leadToSignIn redirects to the sign-in page. After the sign-in the visitor returns to the path in
// the academy. If it is blank, the visitor returns to the requested page, or to the page with the
// form that was submitted. The form is not submitted again.
func (x *siteRequest) leadToSignIn(returnTo string) {
	if returnTo != "" {
		_ = x.redirect(signInPath(returnTo))
		return
	}
	if x.r.Method == http.MethodGet || x.r.Method == http.MethodHead || x.returnsAfterPost() {
		returnTo = x.here()
	} else if a := x.r.PathValue("activity"); a != "" { // the form is on the page of an activity
		returnTo = "/courses/" + x.r.PathValue("course") + "/" + a
	}
	_ = x.redirect(signInPath(returnTo))
}

// returnsAfterPost reports whether the path to which a form is submitted is also the path of a
// page.
func (x *siteRequest) returnsAfterPost() bool {
	return x.r.PathValue("token") != "" || x.r.PathValue("number") != "" || x.here() == "/coupon"
}

// refusalOf returns the status and the page for an error.
func (x *siteRequest) refusalOf(err error) (int, refusal) {
	t := x.texts
	found := fault.All(err)
	switch {
	case errors.Is(err, errForeign):
		return http.StatusForbidden, refusal{t.RefusedTitle, t.ForeignText}
	case errors.Is(err, errTooMany):
		return http.StatusTooManyRequests, refusal{t.TooManyTitle, t.TooManyText}
	case fault.Is(err, fault.Unauthenticated):
		return http.StatusUnauthorized, refusal{}
	case fault.Is(err, fault.NotFound):
		return http.StatusNotFound, refusal{t.NotFoundTitle, t.NotFoundText}
	case fault.Is(err, fault.Gone):
		return http.StatusGone, refusal{t.GoneTitle, t.GoneText}
	case fault.Is(err, fault.Unavailable), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, refusal{t.UnavailableTitle, t.UnavailableText}
	case fault.Is(err, fault.Malformed):
		return http.StatusBadRequest, refusal{t.RefusedTitle, t.MalformedText}
	case errors.Is(err, context.Canceled):
		return statusClientClosed, refusal{t.FailedTitle, t.FailedText}
	case len(found) > 0:
		return http.StatusForbidden, refusal{t.RefusedTitle, found[0].Detail + "."}
	}
	return http.StatusInternalServerError, refusal{t.FailedTitle, t.FailedText}
}

// problems returns the details of faults that a visitor can correct, and whether err consists only
// of such faults.
func problems(err error) ([]string, bool) {
	var all []string
	for _, f := range fault.All(err) {
		if f.Kind != fault.Invalid && f.Kind != fault.Forbidden && f.Kind != fault.Conflict {
			return nil, false
		}
		all = append(all, f.Detail)
	}
	return all, len(all) > 0
}
