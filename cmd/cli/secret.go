package cli

import (
	"encoding"
	"log/slog"
	"net/url"
	"strings"
)

// redacted replaces a secret.
const redacted = "[secret]"

var _ encoding.TextMarshaler = Secret("")

// Secret is a text that must not appear in logs, errors or dumps.
type Secret string

// String returns a placeholder, or "" if the secret is blank.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString is like String, but for the verb %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue is like String, but for package slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText is like String, but for encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }

// hasPassword reports whether s may be a database URL with a password.
func (s Secret) hasPassword() bool {
	u, err := url.Parse(string(s))
	if err != nil {
		return true
	}
	_, of := u.User.Password()
	return of || strings.Contains(string(s), "password")
}
