// Package signin defines how people enter the academy of their school: with one-time links, which
// they receive by email or from the system of the school, and with sessions.
package signin

import (
	"crypto/sha256"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/person"
)

const (
	// SessionLifetime is how long a session remains valid after its last use.
	SessionLifetime = 30 * 24 * time.Hour
	// UseResolution is the precision with which the last use of a session is saved.
	UseResolution = time.Hour
	// MaxSessions is the maximum number of sessions of a person. A new one replaces the oldest.
	MaxSessions = 100
	// maxDevice is the maximum length of the description of a device, in characters.
	maxDevice = 200
)

// SessionID identifies a session in lists. It is not secret.
type SessionID struct{ uuid.UUID }

// Hash is the SHA-256 of a token. Stores save the hash; only the cookie or the message contains the
// token.
type Hash [sha256.Size]byte

// HashToken returns the hash of a token.
func HashToken(token string) Hash { return sha256.Sum256([]byte(token)) }

// Session is the sign-in of a person on one device.
type Session struct {
	ID        SessionID
	Hash      Hash
	Person    person.ID
	Device    string // description that the browser sent; may be blank
	CreatedAt time.Time
	UsedAt    time.Time // last use, with a precision of UseResolution
	ExpiresAt time.Time
}

// NewSession returns a session that begins now. It removes control characters from device and
// truncates it to maxDevice characters.
func NewSession(id SessionID, token string, p person.ID, device string, now time.Time) Session {
	device = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(device, ""))
	if runes := []rune(device); len(runes) > maxDevice {
		device = string(runes[:maxDevice])
	}
	return Session{
		ID: id, Hash: HashToken(token), Person: p, Device: device, CreatedAt: now, UsedAt: now, ExpiresAt: now.Add(SessionLifetime),
	}
}

// Active reports whether the session is valid at the time now.
func (s Session) Active(now time.Time) bool { return now.Before(s.ExpiresAt) }

// Use records that the session is used, which extends it, and reports whether the session changed.
// It changes nothing if less than UseResolution has passed since the last recorded use.
func (s *Session) Use(now time.Time) bool {
	if now.Sub(s.UsedAt) < UseResolution {
		return false
	}
	s.UsedAt, s.ExpiresAt = now, now.Add(SessionLifetime)
	return true
}
