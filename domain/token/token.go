// Package token defines the short-lived tokens with which learners use the API.
package token

import (
	"crypto/sha256"
	"math/big"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Type is the resource type of tokens.
const Type = "learner_tokens"

// The lifetime of a token.
const (
	DefaultLifetime = time.Hour
	MaxLifetime     = 24 * time.Hour
)

// MaxPerPerson is the maximum number of tokens of a person. If a new token exceeds it, the oldest
// tokens are deleted.
const MaxPerPerson = 20

// SecretBytes is the number of random bytes in a secret.
const SecretBytes = 24

// The format of a secret: lyt_ and the base62 digits of the school's ID and the random bytes. The
// ID says in which school to look up the token.
const (
	prefix = "lyt_"
	digits = 54 // number of base62 digits for 40 bytes
	base   = 62
)

// ID identifies a token; it is not the secret.
type ID struct{ uuid.UUID }

// Hash is the SHA-256 of a token's secret. The secret itself is not stored.
type Hash [sha256.Size]byte

// Token is a credential of one person, who acts as a learner.
type Token struct {
	ID        ID
	School    school.ID
	Person    person.ID
	Hash      Hash
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Expiry determines when a new token expires. The zero Expiry means DefaultLifetime.
type Expiry struct {
	At *time.Time
	In *int64 // seconds after the creation; not together with At
}

// time returns the time of expiry in UTC, truncated to milliseconds, or a fault if it is not in the
// range that MaxLifetime allows.
func (e Expiry) time(now time.Time) (time.Time, error) {
	const most = int64(MaxLifetime / time.Second)
	end := now.Add(DefaultLifetime)
	switch {
	case e.In != nil && e.At != nil:
		return end, fault.Invalidf("expires_in", "must not be sent together with expires_at")
	case e.In != nil && (*e.In < 1 || *e.In > most):
		return end, fault.Invalidf("expires_in", "must be between 1 and %d", most)
	case e.In != nil:
		end = now.Add(time.Duration(*e.In) * time.Second)
	case e.At != nil:
		end = *e.At
	}
	end = end.UTC().Truncate(time.Millisecond)
	switch {
	case !end.After(now):
		return end, fault.Invalidf("expires_at", "must be in the future")
	case end.After(now.Add(MaxLifetime)):
		return end, fault.Invalidf("expires_at", "must be at most 24 hours in the future")
	}
	return end, nil
}

// New returns a new token and its secret, which cannot be recovered later. random must contain
// SecretBytes bytes from a cryptographic source.
func New(id ID, s school.ID, p person.ID, expiry Expiry, random []byte, now time.Time) (Token, string, error) {
	if len(random) != SecretBytes {
		return Token{}, "", fault.Invalidf("random", "must have %d bytes", SecretBytes)
	}
	end, err := expiry.time(now)
	if err != nil {
		return Token{}, "", err
	}
	text := new(big.Int).SetBytes(append(s.UUID[:], random...)).Text(base)
	secret := prefix + strings.Repeat("0", digits-len(text)) + text
	return Token{ID: id, School: s, Person: p, Hash: HashSecret(secret), CreatedAt: now, ExpiresAt: end}, secret, nil
}

// ParseSecret returns the school of a secret, and reports whether the secret has the form of a
// token.
func ParseSecret(secret string) (school.ID, bool) {
	text, ok := strings.CutPrefix(secret, prefix)
	if !ok || len(text) != digits || strings.ContainsAny(text, "+-_") {
		return school.ID{}, false
	}
	n, ok := new(big.Int).SetString(text, base)
	var bytes [16 + SecretBytes]byte
	if !ok || n.BitLen() > 8*len(bytes) {
		return school.ID{}, false
	}
	return school.ID{UUID: uuid.UUID(n.FillBytes(bytes[:])[:16])}, true
}

// HashSecret returns the hash of secret. Stores save only the hash.
func HashSecret(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// Active reports whether the token is valid at now. It expires exactly at ExpiresAt.
func (t Token) Active(now time.Time) bool { return now.Before(t.ExpiresAt) }
