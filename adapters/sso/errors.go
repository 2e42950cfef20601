package sso

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"
)

// maxError is the maximum length of an error in the log, in bytes. Errors contain responses of
// providers.
const maxError = 300

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
	return strings.HasPrefix(err.Error(), "5")
}
