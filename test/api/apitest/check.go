package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

var requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// check returns the rules that hold for all responses and that this response violates.
func (c *call) check(a response) []string {
	var bad []string
	must := func(ok bool, format string, args ...any) {
		if !ok {
			bad = append(bad, fmt.Sprintf(format, args...))
		}
	}
	must(a.status < 300 || a.status == http.StatusNotModified || a.status >= 400, "redirects")
	must(a.status != http.StatusInternalServerError, "is a defect")
	must(requestIDForm.MatchString(a.header.Get("X-Request-Id")), "has no request id")
	must(a.header.Get("X-Content-Type-Options") == "nosniff", "may be sniffed")
	policy := a.header.Get("Referrer-Policy")
	form := strings.HasPrefix(a.header.Get("Content-Type"), "text/html") // browsers send no origin with its data under no-referrer
	must(policy == "no-referrer" || form && policy == "same-origin", "has no referrer policy")
	for _, secret := range []string{c.s.key, c.s.otherTenantKey, c.s.urlKey} {
		must(!strings.Contains(a.body, secret), "shows a key")
		for name := range a.header {
			must(!strings.Contains(a.header.Get(name), secret), "shows a key in %s", name)
		}
	}
	must((a.header.Get("Allow") != "") == (a.status == 405 || c.method == "OPTIONS" && a.status == 204),
		"Allow is %q", a.header.Get("Allow"))
	must((a.header.Get("Retry-After") != "") == (a.status == 429 || a.status == 503), "Retry-After is wrong")
	must((a.header.Get("Location") != "") == (a.status == 201 || a.status == 202), "Location is wrong")

	if strings.HasPrefix(strings.TrimLeft(c.path, "/"), "docs") && a.status < 400 {
		return bad // this is a page, which the part Reference checks
	}
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") && strings.HasPrefix(strings.TrimLeft(c.path, "/"), "invitations/") {
		return bad // this is a page, which the part Invitations checks
	}
	path, _, _ := strings.Cut(strings.TrimLeft(c.path, "/"), "?")
	if a.status < 400 && (strings.HasPrefix(path, "favicon.") || path == "" && strings.HasPrefix(a.header.Get("Content-Type"), "text/html")) {
		return bad // this is an icon or a page, which the part Home checks
	}
	cached := a.status == http.StatusOK || a.status == http.StatusNotModified
	must(strings.HasPrefix(a.header.Get("ETag"), `W/"`) == cached, "ETag is %q", a.header.Get("ETag"))
	want := "no-cache"
	if cached {
		want = "max-age=0, private, must-revalidate"
	}
	if a.status == 201 && (strings.Contains(c.path, "/api_keys") || strings.Contains(c.path, "/webhook_endpoints") || strings.HasSuffix(c.path, "/tokens")) {
		want = "no-store" // the response contains a secret
	}
	stricter := a.status == 503 && a.header.Get("Cache-Control") == "no-store" // the response to the retry would contain a secret
	must(a.header.Get("Cache-Control") == want || stricter, "Cache-Control is %q", a.header.Get("Cache-Control"))

	if a.status == 204 || a.status == 304 {
		must(a.body == "" && a.header.Get("Content-Type") == "", "has a body")
		return bad
	}
	mediaType := a.header.Get("Content-Type")
	must(mediaType == "application/json; charset=utf-8" || mediaType == "application/vnd.api+json", "is %q", mediaType)
	if c.method == http.MethodHead {
		must(a.body == "", "has a body")
		return bad
	}
	must(json.Valid([]byte(a.body)), "is not JSON")
	if a.status >= 400 {
		bad = append(bad, checkErrors(a)...)
	}
	return bad
}

// checkErrors returns the properties of error documents that the response violates.
func checkErrors(a response) []string {
	if strings.HasPrefix(a.body, `{"status":`) && a.status == http.StatusServiceUnavailable {
		return nil // the response of a health path
	}
	var document struct {
		Errors []struct {
			Status, Title, Detail string
			Source                *struct{ Pointer, Parameter *string }
		}
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil || len(document.Errors) == 0 {
		return []string{"is no document of errors"}
	}
	var bad []string
	for i, e := range document.Errors {
		if e.Status == "" || e.Title == "" || e.Detail == "" || e.Source == nil {
			bad = append(bad, fmt.Sprintf("error %d lacks a member", i))
		}
	}
	if document.Errors[0].Status != strconv.Itoa(a.status) {
		bad = append(bad, "the first error has another status")
	}
	return bad
}
