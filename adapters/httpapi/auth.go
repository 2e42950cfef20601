package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

const (
	keyHeader    = "X-Api-Key"
	bearerScheme = "Bearer"
)

// authenticate finds out who asks, or refuses who shows no good key. It comes
// before everything that could tell a stranger what exists.
func (s *server) authenticate(c *gin.Context) error {
	if !s.needsKey(c) {
		return s.spaceOut(c)
	}
	x := respond.StateOf(c)
	secret, ok := shownKey(x.Query, c.Request.Header)
	if !ok {
		if err := s.spaceOut(c); err != nil {
			return err
		}
		return fault.Anonymous()
	}
	actor, err := s.identifyKey(c, secret)
	if err != nil {
		return err
	}
	x.Actor = actor
	if err := s.rates.Key.Take(c.Writer.Header(), actor.Key().UUID); err != nil {
		return err
	}
	return s.spaceOut(c)
}

// identifyKey returns the actor that a key stands for. A key that was not found
// before may be one of a flood of wrong keys: it is refused while the client has no
// quota left for those, before the store is asked. Keys that were found are not, so
// that one client does not stop all others behind its address.
func (s *server) identifyKey(c *gin.Context, secret string) (app.Actor, error) {
	network := s.network(c)
	switch {
	case !school.WellFormed(secret): // which needs no look-up, and so no slot
		if err := s.rates.WrongKeys.Check(c.Writer.Header(), network); err != nil {
			return app.Actor{}, err
		}
	case s.app.Auth.Unseen(secret):
		slot, err := s.enterKeyless(c, s.rates.WrongKeys)
		defer slot.Release()
		if err != nil {
			return app.Actor{}, err
		}
	}
	actor, err := s.app.Auth.Authenticate(c.Request.Context(), secret)
	if fault.Is(err, fault.Unauthenticated) {
		_ = s.rates.WrongKeys.Take(c.Writer.Header(), network) // this request is answered; the next ones may not be
	}
	return actor, err
}

// shownKey returns the key that a request presents, as parameter, as header of
// its own, as bearer token, or in several of these ways; ok is false if there is
// none, or if two of them differ.
func shownKey(query []respond.Parameter, headers http.Header) (secret string, ok bool) {
	shown := slices.Clone(headers.Values(keyHeader))
	for _, credentials := range headers.Values("Authorization") {
		if token, is := bearerToken(credentials); is {
			shown = append(shown, token)
		}
	}
	for _, p := range query {
		if p.Name == respond.KeyParameter {
			shown = append(shown, p.Value)
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

// bearerToken returns the token of credentials of the scheme Bearer (RFC 6750,
// section 2.1), in any case of letters. Credentials of other schemes, which a
// proxy may ask for, are not for this server.
func bearerToken(credentials string) (token string, is bool) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(credentials), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, bearerScheme)
}
