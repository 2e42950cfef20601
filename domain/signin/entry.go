package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// MaxEntryLifetime is how far in the future the expiry of an entry link may be.
const MaxEntryLifetime = 10 * time.Minute

// minNonce is the minimum length of a nonce, in bytes.
const minNonce = 16

// Entry is a link by which the system of a school signs a person in (URL authentication). The
// system creates the link when the person enters the academy, and signs it with the entry secret of
// the school.
type Entry struct {
	Email, FirstName, LastName string
	Return                     string // path in the academy; blank: the start page
	Nonce                      string // random; makes the link unique
	Expires                    int64  // seconds since 1970-01-01 UTC
}

// Sign returns the signature of e: the HMAC-SHA256 of its values, one per line, in hexadecimal
// digits. The key is the text of the secret.
func (e Entry) Sign(secret string) string {
	values := []string{e.Email, e.FirstName, e.LastName, e.Return, e.Nonce, strconv.FormatInt(e.Expires, 10)}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.Join(values, "\n")))
	return hex.EncodeToString(mac.Sum(nil))
}

// ExpiresAt returns the time at which e expires.
func (e Entry) ExpiresAt() time.Time { return time.Unix(e.Expires, 0).UTC() }

// Used returns a link that records that e, which has the given signature, was used. A store adds
// one link per hash, so that e can be used only once. The link contains nothing about the person,
// because it must remain if the person is deleted before e expires.
func (e Entry) Used(id LinkID, signature string, now time.Time) Link {
	hash := HashToken("entry " + strings.ToLower(signature)) // Check ignores the case, too
	return Link{ID: id, Hash: hash, CreatedAt: now, ExpiresAt: e.ExpiresAt(), UsedAt: now}
}

// Check returns Unusable unless signature is the signature of e for the secret and e is valid at the
// time now. No entry is valid for a blank secret.
func (e Entry) Check(secret, signature string, now time.Time) error {
	values := e.Email + e.FirstName + e.LastName + e.Return + e.Nonce
	switch {
	case secret == "",
		!hmac.Equal([]byte(e.Sign(secret)), []byte(strings.ToLower(signature))),
		strings.Contains(values, "\n"), // otherwise, two links could have the same signature
		len(e.Nonce) < minNonce,
		!now.Before(e.ExpiresAt()),
		e.ExpiresAt().After(now.Add(MaxEntryLifetime)):
		return Unusable()
	}
	return nil
}
