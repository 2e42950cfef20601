package auth

import (
	"context"
	"sync"

	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/token"
)

const (
	// maxSchoolTokens is the maximum number of remembered tokens of a school; when it is exceeded, all
	// of its tokens are discarded.
	maxSchoolTokens = 10_000
	// maxSeenTokens is the maximum number of remembered tokens; when it is exceeded, all are discarded.
	maxSeenTokens = 100_000
)

// seenTokens remembers the hashes of tokens that were valid when they were last used. It affects
// only the rate limit of lookups, never whether a token is valid.
type seenTokens struct {
	mu     sync.Mutex
	hashes map[school.ID]map[token.Hash]bool
	count  int
}

func (s *seenTokens) has(of school.ID, h token.Hash) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hashes[of][h]
}

func (s *seenTokens) add(of school.ID, h token.Hash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashes[of][h] {
		return
	}
	if s.hashes == nil || s.count == maxSeenTokens {
		s.hashes, s.count = map[school.ID]map[token.Hash]bool{}, 0
	}
	if own := s.hashes[of]; own == nil || len(own) == maxSchoolTokens {
		s.count -= len(own)
		s.hashes[of] = map[token.Hash]bool{}
	}
	s.hashes[of][h] = true
	s.count++
}

func (s *seenTokens) remove(of school.ID, h token.Hash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashes[of][h] {
		delete(s.hashes[of], h)
		s.count--
	}
}

// authenticateLearner returns the actor of a learner's token. of is the school that the token
// names. Each call looks up the token, so that its deletion takes effect at once on every server.
func (u *Authenticator) authenticateLearner(ctx context.Context, of school.ID, secret string) (usecase.Actor, error) {
	hash := token.HashSecret(secret)
	t, owner, err := u.deps.Store.Read(of).Tokens.ByHash(ctx, hash)
	if fault.Is(err, fault.NotFound) || err == nil && !t.Active(u.deps.Clock.Now()) {
		u.tokens.remove(of, hash)
		return usecase.Actor{}, fault.BadCredentials()
	}
	if err != nil {
		return usecase.Actor{}, err
	}
	u.tokens.add(of, hash)
	return usecase.ByLearner(of, t.Person, t.ID.UUID), owner.CheckActive()
}
