package webhook

import (
	"encoding/base64"
	"time"
)

const (
	// SecretBytes is the number of random bytes from which a secret is made.
	SecretBytes = 32
	// Overlap is how long messages are signed with the old secret too, after a rotation.
	Overlap = 24 * time.Hour
)

// EncodeSecret returns random as a secret in the notation of Standard Webhooks.
func EncodeSecret(random []byte) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(random)
}

// Secret contains the encrypted secrets of an endpoint.
type Secret struct {
	Current  string
	Old      string     // blank: none
	OldUntil *time.Time // nil: none
}

// Rotate replaces the current secret with another one. The old one is used for the Overlap.
func (s *Secret) Rotate(next string, now time.Time) {
	end := now.Add(Overlap)
	s.Current, s.Old, s.OldUntil = next, s.Current, &end
}

// DropOld removes the old secret if it is no longer used at the given time.
func (s *Secret) DropOld(now time.Time) {
	if s.OldUntil != nil && !now.Before(*s.OldUntil) {
		s.Old, s.OldUntil = "", nil
	}
}

// Valid returns the secrets with which messages are signed at the given time, the current one
// first.
func (s Secret) Valid(now time.Time) []string {
	if s.OldUntil == nil || !now.Before(*s.OldUntil) {
		return []string{s.Current}
	}
	return []string{s.Current, s.Old}
}
