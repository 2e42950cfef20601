package school

import (
	"time"

	"lyceum/domain/fault"
)

// The time for which a key and its successor both open the school.
const (
	DefaultOverlap = 24 * time.Hour
	MaxOverlap     = 30 * 24 * time.Hour
)

// Succeed lets the key expire after overlap, unless it does so before, and
// returns the terms of the key that takes its place: the same name and scope,
// and as long a life as this key was given. An overlap below 0 or above
// MaxOverlap is Invalid; a key that is not active has no successor.
func (k *Key) Succeed(overlap time.Duration, now time.Time) (KeyTerms, error) {
	if overlap < 0 || overlap > MaxOverlap {
		return KeyTerms{}, fault.Invalidf("overlap", "must be from 0 to %d seconds", int(MaxOverlap.Seconds()))
	}
	if !k.Active(now) {
		return KeyTerms{}, fault.Forbiddenf("The key is revoked or has expired, so that nothing can take its place; make a new one")
	}
	terms := KeyTerms{Name: k.Name, Scope: k.Scope}
	if k.ExpiresAt != nil {
		end := now.Add(k.ExpiresAt.Sub(k.CreatedAt))
		terms.ExpiresAt = &end
	}
	if end := now.Add(overlap); k.Active(end) {
		k.ExpiresAt = &end
	}
	return terms, nil
}

// CheckRevocation says whether the key may be revoked by somebody who shows a
// key, where keys is all of the school's: it is forbidden when nobody could
// administer the school that way any more.
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
	return fault.Forbiddenf("The last key of scope admin cannot be revoked here; make another one first")
}
