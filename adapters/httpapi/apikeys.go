package httpapi

import (
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/school"
)

func (s *server) listKeys() handler {
	return list(s, listing[school.Key]{
		schema: school.KeySchema, list: s.app.Keys.List, toResource: s.key,
	})
}

// madeKey is a new key, and its secret, which is shown this once.
type madeKey struct {
	key    school.Key
	secret string
}

func (s *server) createKey(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, school.KeyType)
	if err != nil {
		return err
	}
	terms := school.KeyTerms{Name: d.NewText("name")}
	if scope := request.Attribute(d, "scope", scopeOf); scope != nil {
		terms.Scope = *scope
	}
	if end := request.Attribute(d, "expires_at", expiryOf); end != nil && !end.IsZero() {
		terms.ExpiresAt = end
	}
	made, err := try(d.Faults, a, func(a app.Actor) (madeKey, error) {
		k, secret, err := s.app.Keys.Create(c.Request.Context(), a, terms)
		return madeKey{k, secret}, err
	})
	if err != nil {
		return err
	}
	return s.createdKey(c, made)
}

func (s *server) rotateKey(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readOptional(c, school.KeyType)
	if err != nil {
		return err
	}
	overlap := school.DefaultOverlap
	if seconds := request.Attribute(d, "overlap", request.IntegerOf); seconds != nil {
		// What does not fit is out of the bounds in any case.
		*seconds = min(max(*seconds, -1), int64(school.MaxOverlap.Seconds())+1)
		overlap = time.Duration(*seconds) * time.Second
	}
	made, err := try(d.Faults, a, func(a app.Actor) (madeKey, error) {
		k, secret, err := s.app.Keys.Rotate(c.Request.Context(), a, school.KeyID{UUID: id}, overlap)
		return madeKey{k, secret}, err
	})
	if err != nil {
		return err
	}
	return s.createdKey(c, made)
}

// createdKey answers with a new key and its secret, of which no cache may keep
// a copy.
func (s *server) createdKey(c *gin.Context, made madeKey) error {
	respond.StateOf(c).Secret = &respond.Holder{Type: school.KeyType, UUID: made.key.ID.String()}
	r := s.key(app.Actor{}, made.key)
	r.Attributes = newKeyAttributes{keyAttributes: r.Attributes.(keyAttributes), Secret: made.secret}
	return s.Created(c, s.links.apiKey(made.key.ID.UUID), r)
}

func scopeOf(name string, v jsonapi.Value) (school.Scope, error) {
	scope, err := request.TextOf(name, v)
	if err != nil || scope == "" {
		return school.Scope{}, err // the domain says that there must be one
	}
	return school.ParseScope(scope)
}

// expiryOf is momentOf for a time that need not be: null, or blank, is the zero
// one.
func expiryOf(name string, v jsonapi.Value) (time.Time, error) {
	if written, err := request.TextOf(name, v); err == nil && written == "" {
		return time.Time{}, nil
	}
	return request.TimeOf(name, v)
}

type keyAttributes struct {
	Name       string  `json:"name"`
	Scope      string  `json:"scope"`
	Prefix     string  `json:"prefix"`
	CreatedAt  string  `json:"created_at"`
	LastUsedAt *string `json:"last_used_at"`
	ExpiresAt  *string `json:"expires_at"`
	RevokedAt  *string `json:"revoked_at"`
}

type newKeyAttributes struct {
	keyAttributes
	Secret string `json:"secret"`
}

type keyLinks struct {
	Self string `json:"self"`
}

func (s *server) key(_ app.Actor, k school.Key) jsonapi.Resource {
	return jsonapi.Resource{
		Type: school.KeyType,
		ID:   k.ID.String(),
		Attributes: keyAttributes{
			Name:       k.Name,
			Scope:      k.Scope.String(),
			Prefix:     k.Prefix,
			CreatedAt:  timestamp(k.CreatedAt),
			LastUsedAt: optionalTimestamp(k.LastUsed),
			ExpiresAt:  optionalTimestamp(k.ExpiresAt),
			RevokedAt:  optionalTimestamp(k.RevokedAt),
		},
		Links: keyLinks{Self: s.links.apiKey(k.ID.UUID)},
	}
}
