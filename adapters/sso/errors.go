package sso

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/oauth2"
	"lyceum/adapters/redact"
)

// maxError is the maximum length of an error in the log, in bytes.
const maxError = 300

// describe returns an error for the log. Of a refusal of the provider it contains only the status
// and the code, because the provider can write names, addresses and secrets into the rest.
func describe(err error) string {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return shorten(redact.Text(withoutResponse(err)))
	}
	code := refused.ErrorCode
	if !errorCode.MatchString(code) {
		code = "no error code"
	}
	status := 0
	if refused.Response != nil {
		status = refused.Response.StatusCode
	}
	return fmt.Sprintf("the token endpoint responded with %d (%s)", status, code)
}

// withoutResponse returns the text of err without the parts of a response that package oidc, net/http,
// net/textproto and encoding/json quote: bodies, values in them, and values and lines of headers. The
// issuer in the metadata remains, which is public, and which the operator may have to configure.
func withoutResponse(err error) string {
	text := err.Error()
	if end := keysFailed.FindStringIndex(text); end != nil {
		return text[:end[1]]
	}
	if end := statusLine.FindStringIndex(text); end != nil {
		return strings.TrimSuffix(text[:end[1]], ":")
	}
	var transport *url.Error
	if errors.As(err, &transport) {
		return strings.Replace(text, transport.Err.Error(), quoted.ReplaceAllString(transport.Err.Error(), "$1…"), 1)
	}
	if received.MatchString(text) {
		return received.ReplaceAllString(text, "$1…")
	}
	if strings.Contains(text, "malformed") { // an error of the body, such as of its trailer
		return quoted.ReplaceAllString(text, "$1…")
	}
	return text
}

var (
	// keysFailed matches what package oidc writes before the body of a response of the endpoint for keys.
	keysFailed = regexp.MustCompile(`oidc: (?:get keys failed: [1-5][0-9]{2}|failed to decode keys)`)
	// statusLine matches the status of a response with a body, as package outgoing sets it.
	statusLine = regexp.MustCompile(`\b[1-5][0-9]{2} [A-Z][A-Za-z' -]*:`)
	// quoted matches a line or a value of the header of a malformed response, and what follows.
	quoted = regexp.MustCompile(`(?s)".*|(\bheader)(?: initial)?(?: line)?: .*`)
	// received matches a value in a token or in a response that contains tokens, and what follows. Before
	// it can be the expected value, which is configured.
	received = regexp.MustCompile(`(?s)(\b(?:got|unmarshal) )["[].*`)
)

// errorCode matches the error codes of RFC 6749, section 5.2, and others of this form.
var errorCode = regexp.MustCompile("^[a-z_]{1,40}$")

func shorten(message string) string {
	if len(message) > maxError {
		message = message[:maxError] + "…"
	}
	return strings.ToValidUTF8(message, "")
}

// isOutage reports whether err means that a provider did not respond, or responded that it is not
// available.
func isOutage(err error) bool {
	var transport *url.Error
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused):
		return refused.Response.StatusCode >= http.StatusInternalServerError
	case errors.As(err, &transport):
		return true
	}
	// Package oidc reports the status only as text.
	return strings.HasPrefix(err.Error(), "5") || strings.Contains(err.Error(), "oidc: get keys failed: 5")
}
