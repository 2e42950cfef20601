package school

import (
	"time"

	"lyceum/domain/fault"
)

// The period in which both a rotated key and its successor are valid.
const (
	DefaultOverlap = 24 * time.Hour
	MaxOverlap     = 30 * 24 * time.Hour
)

// Rotate makes the key expire at now plus overlap, unless it expires earlier. It returns the params
// of the successor, which has the same name, scope and lifetime. It returns Invalid if overlap is
// below 0 or above MaxOverlap, and Forbidden if the key is not active.
func (k *Key) Rotate(overlap time.Duration, now time.Time) (KeyParams, error) {
	if overlap < 0 || overlap > MaxOverlap {
		return KeyParams{}, fault.Invalidf("overlap", "must be between 0 and %d seconds", int(MaxOverlap.Seconds()))
	}
	if !k.Active(now) {
		return KeyParams{}, fault.Forbiddenf("A revoked or expired key cannot be rotated. Create a new key instead")
	}
	terms := KeyParams{Name: k.Name, Scope: k.Scope}
	if k.ExpiresAt != nil {
		end := now.Add(k.ExpiresAt.Sub(k.CreatedAt))
		terms.ExpiresAt = &end
	}
	if end := now.Add(overlap); k.Active(end) {
		k.ExpiresAt = &end
	}
	return terms, nil
}

// CheckRevocation returns a fault if the key is the last active key of the school with the scope
// Admin. keys contains all keys of the school.
func (k Key) CheckRevocation(keys []Key, now time.Time) error {
	rules := func(o Key) bool { return o.Scope.Includes(Admin) && o.Active(now) }
	if !rules(k) {
		return nil
	}
	for _, o := range keys {
		if o.ID != k.ID && rules(o) {
			return nil
		}
	}
	return fault.Forbiddenf("The last API key with the scope admin cannot be revoked. Create another one first")
}
