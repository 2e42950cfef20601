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

// The format of an API key's secret: lyc_, 30 random base62 characters (178 bits) and a checksum of
// 6 characters, 40 characters in total. The checksum allows a mistyped key to be rejected without a
// lookup. The prefix allows secret scanners to find leaked keys.
const (
	keyPrefix   = "lyc_"
	keyRandom   = 30
	keyChecksum = 6
	keyShown    = 8 // number of characters of the secret in Prefix
	maxYear     = 9999
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// SecretBytes is the number of random bytes from which a secret is made.
const SecretBytes = 23

// KeyID identifies an API key; it is not the secret.
type KeyID struct{ uuid.UUID }

// Hash is the SHA-256 of a key's secret. The secret itself is not stored.
type Hash [sha256.Size]byte

// Key is an API key of one school.
type Key struct {
	ID        KeyID
	School    ID
	Name      string
	Hash      Hash
	Prefix    string // the first characters of the secret, by which operators recognize the key
	Scope     Scope
	CreatedAt time.Time
	LastUsed  *time.Time // approximate: saved at most once a minute
	ExpiresAt *time.Time // valid until then; nil: never expires
	RevokedAt *time.Time
}

// KeyParams is what a new key is created from.
type KeyParams struct {
	Name      string
	Scope     Scope
	ExpiresAt *time.Time // nil: never expires
}

// NewKey returns a new key and its secret, which cannot be recovered later. random must contain at
// least SecretBytes bytes from a cryptographic source; otherwise NewKey returns an Invalid fault.
func NewKey(id KeyID, school ID, params KeyParams, random []byte, now time.Time) (Key, string, error) {
	if len(random) < SecretBytes {
		return Key{}, "", fault.Invalidf("random", "is too short")
	}
	secret := EncodeSecret(random)
	k, err := RestoreKey(id, school, params, secret, now)
	return k, secret, err
}

// RestoreKey returns a key with a known secret. It returns an Invalid fault if the secret is
// malformed (ValidSecret), the name does not satisfy text.Name, the scope is missing, or the expiry
// is not after now.
func RestoreKey(id KeyID, school ID, params KeyParams, secret string, now time.Time) (Key, error) {
	name, errName := text.Name("name", params.Name)
	var errScope, errSecret error
	if params.Scope.IsZero() {
		errScope = fault.Blank("scope")
	}
	if !ValidSecret(secret) {
		errSecret = fault.Invalidf("secret", "is not a valid API key (wrong format or checksum)")
	}
	end, errEnd := checkEnd(params.ExpiresAt, now)
	if err := fault.Join(errName, errScope, errEnd, errSecret); err != nil {
		return Key{}, err
	}
	return Key{
		ID: id, School: school, Name: name, Hash: HashSecret(secret),
		Prefix: strings.Clone(secret[:keyShown]), // a part of secret would keep the whole secret in memory
		Scope:  params.Scope, CreatedAt: now, ExpiresAt: end,
	}, nil
}

// checkEnd returns the expiry of a key in UTC, truncated to milliseconds, or a fault if it is not
// in the future.
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

// EncodeSecret encodes random as a secret.
func EncodeSecret(random []byte) string {
	body := keyPrefix + encode(new(big.Int).SetBytes(random), keyRandom)
	return body + checksum(body)
}

// HashSecret returns the hash of secret. Stores save only the hash.
func HashSecret(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// ValidSecret reports whether secret has the form and the checksum of a key.
func ValidSecret(secret string) bool {
	if len(secret) != len(keyPrefix)+keyRandom+keyChecksum {
		return false
	}
	body, sum := secret[:len(secret)-keyChecksum], secret[len(secret)-keyChecksum:]
	random, ok := strings.CutPrefix(body, keyPrefix)
	return ok && strings.Trim(random, base62) == "" && sum == checksum(body)
}

// Active reports whether the key is valid at now: neither revoked nor expired. It expires exactly
// at ExpiresAt.
func (k Key) Active(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// Revoke revokes the key permanently. It changes nothing if the key is already revoked.
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
