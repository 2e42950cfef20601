package auth

import (
	"context"
	"sync"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/token"
)

// maxSeenTokens is the maximum number of remembered tokens; when it is exceeded, all are discarded.
const maxSeenTokens = 20_000

// seenTokens remembers the hashes of tokens that were valid when they were last used. It affects
// only the rate limit of lookups, never whether a token is valid.
type seenTokens struct {
	mu     sync.Mutex
	hashes map[token.Hash]bool
}

func (s *seenTokens) has(h token.Hash) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hashes[h]
}

func (s *seenTokens) set(h token.Hash, valid bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !valid:
		delete(s.hashes, h)
	case s.hashes == nil || len(s.hashes) >= maxSeenTokens:
		s.hashes = map[token.Hash]bool{h: true}
	default:
		s.hashes[h] = true
	}
}

// authenticateLearner returns the actor of a learner's token. of is the school that the token
// names. Each call looks up the token, so that its deletion takes effect at once on every server.
func (u *Authenticator) authenticateLearner(ctx context.Context, of school.ID, secret string) (usecase.Actor, error) {
	hash := token.HashSecret(secret)
	t, owner, err := u.deps.Store.Read(of).Tokens.ByHash(ctx, hash)
	if fault.Is(err, fault.NotFound) || err == nil && !t.Active(u.deps.Clock.Now()) {
		u.tokens.set(hash, false)
		return usecase.Actor{}, fault.BadCredentials()
	}
	if err != nil {
		return usecase.Actor{}, err
	}
	u.tokens.set(hash, true)
	return usecase.ByLearner(of, t.Person, t.ID.UUID), owner.CheckActive()
}
