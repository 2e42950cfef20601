package school

import (
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// The form of an API key's secret: lyc_, 30 random base62 characters (178 bits)
// and 6 characters of checksum over what stands before them, 40 in all. The
// checksum refuses a mistyped key without a look-up; the form lets secret
// scanners find leaked keys.
const (
	keyPrefix   = "lyc_"
	keyRandom   = 30
	keyChecksum = 6
	keyShown    = 8 // characters of the secret that lists show
	maxYear     = 9999
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// SecretBytes is how many random bytes a secret is made of.
const SecretBytes = 23

// KeyID identifies an API key; it is not the secret.
type KeyID struct{ uuid.UUID }

// Hash is the SHA-256 of a key's secret, the only trace of it that is stored.
type Hash [sha256.Size]byte

// Key is an API key of one school.
type Key struct {
	ID        KeyID
	School    ID
	Name      string
	Hash      Hash
	Prefix    string // the first characters of the secret, to recognise it by
	Scope     Scope
	CreatedAt time.Time
	LastUsed  *time.Time // roughly: not more often than once a minute
	ExpiresAt *time.Time // from then on it opens nothing; nil: never
	RevokedAt *time.Time
}

// KeyTerms is what whoever makes a key says of it.
type KeyTerms struct {
	Name      string
	Scope     Scope
	ExpiresAt *time.Time // nil: never
}

// NewKey returns a key of school on those terms whose secret is made of random,
// and the secret itself, which cannot be had again. random needs SecretBytes
// bytes from a cryptographic source; fewer make an Invalid fault.
func NewKey(id KeyID, school ID, terms KeyTerms, random []byte, now time.Time) (Key, string, error) {
	if len(random) < SecretBytes {
		return Key{}, "", fault.Invalidf("random", "is too short")
	}
	secret := Secret(random)
	k, err := RestoreKey(id, school, terms, secret, now)
	return k, secret, err
}

// RestoreKey returns the key of school on those terms whose secret is known
// already. A secret without the form of one is Invalid, as are a name that
// text.Name refuses, no scope, and an end that is not after now.
func RestoreKey(id KeyID, school ID, terms KeyTerms, secret string, now time.Time) (Key, error) {
	name, errName := text.Name("name", terms.Name)
	var errScope, errSecret error
	if terms.Scope.IsZero() {
		errScope = fault.Blank("scope")
	}
	if !WellFormed(secret) {
		errSecret = fault.Invalidf("secret", "is not an API key of this service (its form or its checksum is wrong)")
	}
	end, errEnd := checkEnd(terms.ExpiresAt, now)
	if err := fault.Join(errName, errScope, errEnd, errSecret); err != nil {
		return Key{}, err
	}
	return Key{
		ID: id, School: school, Name: name, Hash: HashSecret(secret), Prefix: secret[:keyShown],
		Scope: terms.Scope, CreatedAt: now, ExpiresAt: end,
	}, nil
}

// checkEnd returns when a key is to expire, in UTC and whole milliseconds.
func checkEnd(at *time.Time, now time.Time) (*time.Time, error) {
	if at == nil {
		return nil, nil
	}
	end := at.UTC().Truncate(time.Millisecond)
	switch {
	case !end.After(now):
		return nil, fault.Invalidf("expires_at", "must be in the future")
	case end.Year() > maxYear:
		return nil, fault.Invalidf("expires_at", "must be before the year 10000")
	}
	return &end, nil
}

// Secret returns the secret that random stands for, in the form of every key.
func Secret(random []byte) string {
	body := keyPrefix + encode(new(big.Int).SetBytes(random), keyRandom)
	return body + checksum(body)
}

// HashSecret returns what is stored of secret.
func HashSecret(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// WellFormed tells whether secret has the form and the checksum of a key.
func WellFormed(secret string) bool {
	if len(secret) != len(keyPrefix)+keyRandom+keyChecksum {
		return false
	}
	body, sum := secret[:len(secret)-keyChecksum], secret[len(secret)-keyChecksum:]
	random, ok := strings.CutPrefix(body, keyPrefix)
	return ok && strings.Trim(random, base62) == "" && sum == checksum(body)
}

// Active tells whether the key opens its school at that time: it is neither
// revoked nor expired. It expires at ExpiresAt exactly.
func (k Key) Active(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// Revoke closes the school to the key for good; a second time changes nothing.
func (k *Key) Revoke(now time.Time) {
	if k.RevokedAt == nil {
		k.RevokedAt = &now
	}
}

func checksum(body string) string {
	return encode(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), keyChecksum)
}

// encode returns the last n base62 digits of v.
func encode(v *big.Int, n int) string {
	digits := make([]byte, n)
	v, base, digit := new(big.Int).Set(v), big.NewInt(int64(len(base62))), new(big.Int)
	for i := n - 1; i >= 0; i-- {
		v.DivMod(v, base, digit)
		digits[i] = base62[digit.Int64()]
	}
	return string(digits)
}
