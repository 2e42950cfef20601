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
	CreatedAt time.Time
	LastUsed  *time.Time // roughly: not more often than once a minute
	RevokedAt *time.Time
}

// NewKey returns a key of school called name whose secret is made of random,
// and the secret itself, which cannot be had again. random needs SecretBytes
// bytes from a cryptographic source; fewer make an Invalid fault.
func NewKey(id KeyID, school ID, name string, random []byte, now time.Time) (Key, string, error) {
	if len(random) < SecretBytes {
		return Key{}, "", fault.Invalidf("random", "is too short")
	}
	secret := Secret(random)
	k, err := RestoreKey(id, school, name, secret, now)
	return k, secret, err
}

// RestoreKey returns the key of school called name whose secret is known
// already. A secret without the form of one is Invalid.
func RestoreKey(id KeyID, school ID, name, secret string, now time.Time) (Key, error) {
	name, errName := text.Name("name", name)
	var errSecret error
	if !WellFormed(secret) {
		errSecret = fault.Invalidf("secret", "is not an API key of this service (its form or its checksum is wrong)")
	}
	if err := fault.Join(errName, errSecret); err != nil {
		return Key{}, err
	}
	return Key{
		ID: id, School: school, Name: name, Hash: HashSecret(secret), Prefix: secret[:keyShown], CreatedAt: now,
	}, nil
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

// Active tells whether the key opens its school.
func (k Key) Active() bool { return k.RevokedAt == nil }

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
