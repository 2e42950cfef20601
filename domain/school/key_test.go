package school_test

import (
	"bytes"
	"crypto/sha256"
	"regexp"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"pgregory.net/rapid"
)

var (
	keyID  = school.KeyID{UUID: uuid.UUID{15: 2}}
	ci     = school.KeyParams{Name: "ci", Scope: school.Admin}
	random = bytes.Repeat([]byte{0xa5, 0x01}, 12)[:school.SecretBytes]
)

// zeros is the secret for random bytes that are all zero. Its checksum, CRC-32 (IEEE) as six
// base-62 digits, was calculated with another program.
const zeros = "lyc_000000000000000000000000000000" + "2QZNT3"

func TestSecret(t *testing.T) {
	is := is.New(t)
	is.Equal(school.EncodeSecret(make([]byte, school.SecretBytes)), zeros)
	one := make([]byte, school.SecretBytes)
	one[school.SecretBytes-1] = 61
	is.Equal(school.EncodeSecret(one)[:34], "lyc_00000000000000000000000000000z")
	one[school.SecretBytes-1] = 62
	is.Equal(school.EncodeSecret(one)[:34], "lyc_000000000000000000000000000010")
}

func TestPropertySecrets(t *testing.T) {
	form := regexp.MustCompile(`^lyc_[0-9A-Za-z]{36}$`)
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Byte(), school.SecretBytes, school.SecretBytes).Draw(t, "random")
		secret := school.EncodeSecret(bytes)
		if !form.MatchString(secret) || !school.ValidSecret(secret) {
			t.Fatalf("%s is no key", secret)
		}
		at := rapid.IntRange(0, len(secret)-1).Draw(t, "at")
		typed := rapid.ByteRange(' ', '~').Draw(t, "typed")
		if mistyped := secret[:at] + string(typed) + secret[at+1:]; mistyped != secret && school.ValidSecret(mistyped) {
			t.Fatalf("%s passes for %s", mistyped, secret)
		}
	})
}

func TestValidSecretRejects(t *testing.T) {
	for name, secret := range map[string]string{
		"nothing":            "",
		"only a prefix":      "lyc_",
		"one short":          zeros[1:],
		"one long":           zeros + "0",
		"another prefix":     "lyk_" + zeros[4:34] + "1tYSsr",
		"another checksum":   zeros[:39] + "4",
		"two exchanged":      "lyc_10" + zeros[6:],
		"other case":         strings.ToUpper(zeros),
		"blank in front":     " " + zeros[:39],
		"forty of something": strings.Repeat("x", 40),
		"no base62 digits":   "lyc_" + strings.Repeat("-", 30) + "38Y2AZ",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(school.ValidSecret(secret), false)
		})
	}
}

func TestNewKey(t *testing.T) {
	is := is.New(t)
	key, secret, err := school.NewKey(keyID, id, school.KeyParams{Name: " ci ", Scope: school.Read, ExpiresAt: &laterTime}, random, now)
	is.NoErr(err)
	is.True(school.ValidSecret(secret))
	is.Equal(key, school.Key{
		ID: keyID, School: id, Name: "ci", Hash: sha256.Sum256([]byte(secret)), Prefix: secret[:8],
		Scope: school.Read, CreatedAt: now, ExpiresAt: key.ExpiresAt,
	})
	is.Equal(school.HashSecret(secret), key.Hash)
	is.True(unsafe.StringData(key.Prefix) != unsafe.StringData(secret)) // the key does not keep the secret in memory
	is.Equal(*key.ExpiresAt, laterTime)
	is.True(key.Active(now))
}

func TestNewKeyInvalid(t *testing.T) {
	is := is.New(t)
	_, _, err := school.NewKey(keyID, id, school.KeyParams{Scope: school.Admin}, random, now)
	is.Equal(fault.All(err)[0].Field, "name")
	_, _, err = school.NewKey(keyID, id, ci, random[1:], now)
	is.Equal(fault.All(err)[0].Field, "random")
}

func TestRestoreKey(t *testing.T) {
	is := is.New(t)
	made, secret, err := school.NewKey(keyID, id, ci, random, now)
	is.NoErr(err)
	restored, err := school.RestoreKey(keyID, id, ci, secret, now)
	is.NoErr(err)
	is.Equal(restored, made)

	_, err = school.RestoreKey(keyID, id, school.KeyParams{ExpiresAt: &now}, secret[1:], now)
	var fields []string
	for _, f := range fault.All(err) {
		fields = append(fields, f.Field)
	}
	is.Equal(fields, []string{"name", "scope", "expires_at", "secret"}) // all faults together
}

func TestRevoke(t *testing.T) {
	is := is.New(t)
	key, _, err := school.NewKey(keyID, id, ci, random, now)
	is.NoErr(err)
	key.Revoke(now)
	is.Equal(key.Active(now), false)
	key.Revoke(laterTime)
	is.Equal(*key.RevokedAt, now) // revoking it again changes nothing
}

// A key is valid until ExpiresAt, and no longer valid exactly at that time.
func TestExpiry(t *testing.T) {
	is := is.New(t)
	key, _, err := school.NewKey(keyID, id, school.KeyParams{Name: "ci", Scope: school.Admin, ExpiresAt: &laterTime}, random, now)
	is.NoErr(err)
	is.True(key.Active(laterTime.Add(-time.Nanosecond)))
	is.Equal(key.Active(laterTime), false)
}

func TestInvalidExpiry(t *testing.T) {
	for name, tc := range map[string]struct {
		at     time.Time
		detail string
	}{
		"now":          {now, "must be in the future"},
		"before":       {now.Add(-time.Hour), "must be in the future"},
		"too far away": {time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), "must be before the year 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, _, err := school.NewKey(keyID, id, school.KeyParams{Name: "ci", Scope: school.Admin, ExpiresAt: &tc.at}, random, now)
			is.Equal(fault.All(err)[0].Field, "expires_at")
			is.Equal(fault.All(err)[0].Detail, tc.detail)
		})
	}
}
