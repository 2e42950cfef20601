package middleware

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
)

const (
	keyHeader    = "X-Api-Key"
	bearerScheme = "Bearer"
)

// authenticate sets the actor of the request, or refuses a request without a valid key unless its
// route needs none. It runs before every check that could reveal to a client without a key which
// records exist.
func (m *Middleware) authenticate(c *gin.Context) error {
	x := respond.StateOf(c)
	if x.Route.Keyless {
		return m.space(c)
	}
	secret, ok := credentials(x.Query, c.Request.Header)
	x.Presented = secret != ""
	if !ok {
		if err := m.space(c); err != nil {
			return err
		}
		return fault.BadCredentials()
	}
	actor, err := m.identifyKey(c, secret)
	if err != nil {
		return err
	}
	x.Actor = actor
	c.Request = c.Request.WithContext(usecase.WithCaller(c.Request.Context(), x.Origin().Key))
	limit := m.rates.Key
	if actor.IsLearner() {
		limit = m.rates.Learner
	}
	if err := limit.Take(c.Writer.Header(), x.RateKey()); err != nil {
		return err
	}
	return m.space(c)
}

// Reauthenticate checks the credentials of a request again that has waited for its client or for a
// change, because the key may have been revoked, or the school suspended, in the meantime.
func (m *Middleware) Reauthenticate(c *gin.Context) error {
	x := respond.StateOf(c)
	if x.Route.Keyless {
		return nil
	}
	// The limit of wrong keys does not apply to a request whose key was right.
	secret, _ := credentials(x.Query, c.Request.Header)
	_, err := m.auth.Authenticate(c.Request.Context(), secret)
	return err
}

// recordsPerRequest is the number of records in one document that count as one request of a learner:
// a player that was offline can send some thousand events at once.
const recordsPerRequest = 10

// identifyKey returns the actor of a key. A key that is not in the cache may be part of a flood of
// wrong keys: if the client has used up the quota for wrong keys, identifyKey refuses it without a
// lookup in the store. Cached keys are exempt, so that one client cannot block other clients with
// the same address.
func (m *Middleware) identifyKey(c *gin.Context, secret string) (usecase.Actor, error) {
	network := m.Network(c)
	switch {
	case !m.auth.WellFormed(secret): // refused without a lookup, and therefore without a slot
		if err := m.rates.WrongKeys.Check(c.Writer.Header(), network); err != nil {
			return usecase.Actor{}, err
		}
	case m.auth.Unseen(secret):
		slot, err := m.EnterKeyless(c, m.rates.WrongKeys)
		defer slot.Release()
		if err != nil {
			return usecase.Actor{}, err
		}
	}
	actor, err := m.auth.Authenticate(c.Request.Context(), secret)
	if fault.Is(err, fault.Unauthenticated) {
		_ = m.rates.WrongKeys.Take(c.Writer.Header(), network) // this request gets 401; later ones may get 429
	}
	return actor, err
}

// credentials returns the API key or token of a request, from the query parameter, the header
// X-Api-Key or the bearer token. ok is false if there is none, or if several values differ.
func credentials(query []respond.Parameter, headers http.Header) (secret string, ok bool) {
	keys := slices.Clone(headers.Values(keyHeader))
	for _, credentials := range headers.Values("Authorization") {
		if token, is := bearerToken(credentials); is {
			keys = append(keys, token)
		}
	}
	for _, p := range query {
		if p.Name == respond.KeyParameter {
			keys = append(keys, p.Value)
		}
	}
	if len(slices.Compact(keys)) != 1 {
		return "", false
	}
	return keys[0], true
}

// bearerToken returns the token of credentials with the scheme Bearer (RFC 6750, section 2.1). The
// case of the scheme does not matter. Credentials with other schemes may be for a proxy.
func bearerToken(credentials string) (token string, is bool) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(credentials), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, bearerScheme)
}
