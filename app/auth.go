package app

import (
	"context"
	"sync"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

const (
	// keyTrust is how long a key is believed without asking the store again; a
	// revocation must hold within 5 seconds on every instance.
	keyTrust = 3 * time.Second
	// touchEvery is how exact a key's last use is, and how long no last use is
	// recorded after a failure to do so.
	touchEvery = time.Minute
	// touchTime bounds how long a request waits until the last use of its key is
	// recorded.
	touchTime = time.Second
	// keysKept bounds the cache; a server has far fewer keys in use at a time.
	keysKept = 10_000
)

// Auth turns an API key's secret into an Actor.
type Auth struct {
	deps  usecase.Deps
	mu    sync.RWMutex // guards the following fields
	known map[school.Hash]trusted
	touch time.Time // the earliest time to record a last use
}

// trusted is an actor who needs not be looked up from one moment until another,
// at which the key is asked for again or expires.
type trusted struct {
	actor       Actor
	from, until time.Time
}

func newAuth(d usecase.Deps) *Auth {
	return &Auth{deps: d, known: map[school.Hash]trusted{}}
}

// Authenticate returns the actor that secret stands for, or Unauthenticated when
// it is malformed, unknown, revoked or expired.
func (u *Auth) Authenticate(ctx context.Context, secret string) (Actor, error) {
	if !school.WellFormed(secret) {
		return Actor{}, fault.Anonymous()
	}
	hash, now := school.HashSecret(secret), u.deps.Clock.Now()
	u.mu.RLock()
	t, ok := u.known[hash]
	u.mu.RUnlock()
	if ok && now.Before(t.until) && !now.Before(t.from) {
		return t.actor, nil
	}
	t, err := u.lookUp(ctx, hash, now)
	if err != nil {
		if fault.Is(err, fault.Unauthenticated) {
			u.forget(hash) // else a revoked key would be known for ever
		}
		return Actor{}, err
	}
	u.remember(hash, t)
	return t.actor, nil
}

// Unseen reports whether secret is well-formed but was not found in the store
// before, or no longer when it was last looked up, so that it may be a guess, which
// costs a look-up. The store is not asked.
func (u *Auth) Unseen(secret string) bool {
	if !school.WellFormed(secret) {
		return false
	}
	u.mu.RLock()
	defer u.mu.RUnlock()
	_, ok := u.known[school.HashSecret(secret)]
	return !ok
}

func (u *Auth) lookUp(ctx context.Context, hash school.Hash, now time.Time) (trusted, error) {
	key, _, err := u.deps.Schools.FindKey(ctx, hash)
	if fault.Is(err, fault.NotFound) || err == nil && !key.Active(now) {
		return trusted{}, fault.Anonymous()
	}
	if err != nil {
		return trusted{}, err
	}
	u.recordUse(ctx, key, now)
	until := now.Add(keyTrust)
	if key.ExpiresAt != nil && key.ExpiresAt.Before(until) {
		until = *key.ExpiresAt
	}
	return trusted{
		actor: usecase.ByKey(key), from: now, until: until,
	}, nil
}

// recordUse records that the key was used, if that was last recorded long enough
// ago. It may fail: a request that only reads must be answered although the
// database accepts no writes. After a failure the next attempt is made a minute
// later, because each costs the database's connections or a wait.
func (u *Auth) recordUse(ctx context.Context, key school.Key, now time.Time) {
	u.mu.RLock()
	pausing := now.Before(u.touch) && u.touch.Sub(now) <= touchEvery // unless the clock was set back
	u.mu.RUnlock()
	if pausing || key.LastUsed != nil && now.Sub(*key.LastUsed) < touchEvery {
		return
	}
	limited, cancel := context.WithTimeout(ctx, touchTime)
	defer cancel()
	if err := u.deps.Schools.TouchKey(limited, key.ID, now); err != nil && ctx.Err() == nil {
		u.mu.Lock()
		u.touch = now.Add(touchEvery)
		u.mu.Unlock()
	}
}

func (u *Auth) remember(hash school.Hash, t trusted) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.known) >= keysKept {
		clear(u.known)
	}
	u.known[hash] = t
}

func (u *Auth) forget(hash school.Hash) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.known, hash)
}
