package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/domain/fault"
)

const (
	keyParameter = "api_key"
	keyHeader    = "X-Api-Key"
)

// authenticate finds out who asks, or refuses who shows no good key. It comes
// before everything that could tell a stranger what exists.
func (s *server) authenticate(c *gin.Context) error {
	if !s.needsKey(c) {
		return nil
	}
	x := exchangeOf(c)
	secret, ok := shownKey(x.query, c.Request.Header.Values(keyHeader))
	if !ok {
		return fault.Anonymous()
	}
	actor, err := s.app.Auth.Authenticate(c.Request.Context(), secret)
	x.actor, x.seal = actor, newSeal(secret)
	return err
}

// shownKey returns the key that a request shows, as parameter, as header, or as
// both; ok is false when it shows none, or several that differ.
func shownKey(query []pair, headers []string) (secret string, ok bool) {
	shown := headers
	for _, p := range query {
		if p.name == keyParameter {
			shown = append(shown[:len(shown):len(shown)], p.value)
		}
	}
	for _, s := range shown {
		if s != shown[0] {
			return "", false
		}
	}
	if len(shown) == 0 {
		return "", false
	}
	return shown[0], true
}
