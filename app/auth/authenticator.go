package auth

import (
	"context"
	"slices"
	"sync"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/token"
)

const (
	// keyCacheTTL is how long a key is cached after a lookup. A revocation must take effect within
	// 5 seconds on every server.
	keyCacheTTL = 3 * time.Second
	// lastUsedResolution is the precision with which the last use of a key is saved, and the pause
	// after a failed attempt to save it.
	lastUsedResolution = time.Minute
	// touchTimeout is the maximum time that a request waits to save the last use of its key.
	touchTimeout = time.Second
	// maxSchoolKeys is the maximum number of cached keys of one school. The key with the oldest
	// lookup is evicted, so a school that uses more keys does not evict the keys of other schools.
	maxSchoolKeys = 1000
	// maxCachedKeys is the maximum number of cached keys; when it is exceeded, the cache is
	// cleared. Far fewer keys are in use at a time.
	maxCachedKeys = 50_000
)

// Authenticator authenticates API keys and tokens of learners. It is safe for concurrent use.
type Authenticator struct {
	deps      usecase.Deps
	mu        sync.RWMutex // guards cached, bySchool, evictions and nextTouch
	cached    map[school.Hash]cachedActor
	bySchool  map[school.ID][]school.Hash // hashes of the cached keys, oldest lookup first
	evictions int                         // number of calls of Evict
	nextTouch time.Time                   // no last use is saved before this time

	tokens seenTokens
}

// cachedActor is the actor of a key. It is valid until keyCacheTTL has passed or the key expires,
// whichever is first.
type cachedActor struct {
	actor       usecase.Actor
	refused     error // nil: the school is active
	from, until time.Time
}

// NewAuthenticator returns the use case with d.
func NewAuthenticator(d usecase.Deps) *Authenticator {
	return &Authenticator{deps: d, cached: map[school.Hash]cachedActor{}, bySchool: map[school.ID][]school.Hash{}}
}

// Authenticate returns the actor of the key or token with the given secret. It returns
// Unauthenticated if the secret is malformed or unknown, or if the key or token is revoked or
// expired, and Forbidden if the school is suspended.
func (u *Authenticator) Authenticate(ctx context.Context, secret string) (usecase.Actor, error) {
	if of, ok := token.ParseSecret(secret); ok {
		return u.authenticateLearner(ctx, of, secret)
	}
	if !school.ValidSecret(secret) {
		return usecase.Actor{}, fault.BadCredentials()
	}
	hash, now := school.HashSecret(secret), u.deps.Clock.Now()
	u.mu.RLock()
	t, ok := u.cached[hash]
	evictions := u.evictions
	u.mu.RUnlock()
	if ok && now.Before(t.until) && !now.Before(t.from) {
		return t.actor, t.refused
	}
	t, err := u.lookUp(ctx, hash, now)
	if err != nil {
		if fault.Is(err, fault.Unauthenticated) {
			u.evict(hash) // so that the cache contains no revoked keys
		}
		return usecase.Actor{}, err
	}
	u.add(hash, t, evictions)
	return t.actor, t.refused
}

// WellFormed reports whether secret has the form of an API key or a token. It does not call the
// store.
func (u *Authenticator) WellFormed(secret string) bool {
	_, isToken := token.ParseSecret(secret)
	return isToken || school.ValidSecret(secret)
}

// Unseen reports whether secret is well-formed but neither cached nor a token that was valid
// before. Such a secret may be a guess, and authenticating it costs a lookup. Unseen does not call
// the store.
func (u *Authenticator) Unseen(secret string) bool {
	if of, ok := token.ParseSecret(secret); ok {
		return !u.tokens.has(of, token.HashSecret(secret))
	}
	if !school.ValidSecret(secret) {
		return false
	}
	u.mu.RLock()
	defer u.mu.RUnlock()
	_, ok := u.cached[school.HashSecret(secret)]
	return !ok
}

func (u *Authenticator) lookUp(ctx context.Context, hash school.Hash, now time.Time) (cachedActor, error) {
	key, owner, err := u.deps.Schools.KeyByHash(ctx, hash)
	if fault.Is(err, fault.NotFound) || err == nil && !key.Active(now) {
		return cachedActor{}, fault.BadCredentials()
	}
	if err != nil {
		return cachedActor{}, err
	}
	refused := owner.CheckActive()
	if refused == nil {
		u.recordUse(ctx, key, now)
	}
	until := now.Add(keyCacheTTL)
	if key.ExpiresAt != nil && key.ExpiresAt.Before(until) {
		until = *key.ExpiresAt
	}
	return cachedActor{
		actor: usecase.ByKey(key).WithSlug(owner.State().Slug), refused: refused, from: now, until: until,
	}, nil
}

// recordUse saves the use of a key if the last saved use is older than lastUsedResolution. It
// ignores errors, because reads must work while the database is read-only. After an error it saves
// no use for lastUsedResolution, because each attempt may wait for the database.
func (u *Authenticator) recordUse(ctx context.Context, key school.Key, now time.Time) {
	u.mu.RLock()
	// pausing is false if the clock was set back.
	pausing := now.Before(u.nextTouch) && u.nextTouch.Sub(now) <= lastUsedResolution
	u.mu.RUnlock()
	if pausing || key.LastUsed != nil && now.Sub(*key.LastUsed) < lastUsedResolution {
		return
	}
	limited, cancel := context.WithTimeout(ctx, touchTimeout)
	defer cancel()
	if err := u.deps.Schools.TouchKey(limited, key.ID, now); err != nil && ctx.Err() == nil {
		u.mu.Lock()
		u.nextTouch = now.Add(lastUsedResolution)
		u.mu.Unlock()
	}
}

// add caches the actor of a key as the most recent lookup of its school. It caches nothing if a key
// was evicted since the lookup began, when Evict had been called evictions times.
func (u *Authenticator) add(hash school.Hash, t cachedActor, evictions int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if evictions != u.evictions {
		return
	}
	u.remove(hash)
	s := t.actor.School()
	if own := u.bySchool[s]; len(own) == maxSchoolKeys {
		u.remove(own[0])
	}
	if len(u.cached) == maxCachedKeys {
		clear(u.cached)
		clear(u.bySchool)
	}
	u.cached[hash] = t
	u.bySchool[s] = append(u.bySchool[s], hash)
}

// Evict removes a key that has been changed from the cache, so that the next request with it looks
// the key up.
func (u *Authenticator) Evict(hash school.Hash) {
	u.mu.Lock()
	u.evictions++
	u.mu.Unlock()
	u.evict(hash)
}

func (u *Authenticator) evict(hash school.Hash) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.remove(hash)
}

// remove removes a key from the cache. The caller must hold u.mu.
func (u *Authenticator) remove(hash school.Hash) {
	t, ok := u.cached[hash]
	if !ok {
		return
	}
	delete(u.cached, hash)
	s := t.actor.School()
	own := u.bySchool[s]
	if i := slices.Index(own, hash); len(own) > 1 {
		u.bySchool[s] = slices.Delete(own, i, i+1)
	} else {
		delete(u.bySchool, s)
	}
}
