package httpapi

import (
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/school"
)

func (s *server) listKeys() handler {
	return list(s, lists.Listing[school.Key]{
		Schema: school.KeySchema, List: s.app.Keys.List, ToResource: s.key,
	})
}

// newKey is a created or rotated key and its secret, which is shown only once.
type newKey struct {
	key    school.Key
	secret string
}

func (s *server) createKey(c *gin.Context, a app.Actor) error {
	d, err := s.readNew(c, school.KeyType)
	if err != nil {
		return err
	}
	params := school.KeyParams{
		Name:  d.NewText("name"),
		Scope: valueOrZero(request.Attribute(d, "scope", orBlank(parsed(request.TextOf, school.ParseScope)))),
	}
	if end := request.Attribute(d, "expires_at", orBlank(request.TimeOf)); end != nil && !end.IsZero() {
		params.ExpiresAt = end
	}
	made, err := collectFaults(d.Faults, a, func(a app.Actor) (newKey, error) {
		k, secret, err := s.app.Keys.Create(c.Request.Context(), a, params)
		return newKey{k, secret}, err
	})
	if err != nil {
		return err
	}
	return s.writeNewKey(c, made)
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
		// Clamp the number to just outside the range that the domain allows, so that the Duration
		// does not overflow.
		*seconds = min(max(*seconds, -1), int64(school.MaxOverlap.Seconds())+1)
		overlap = time.Duration(*seconds) * time.Second
	}
	made, err := collectFaults(d.Faults, a, func(a app.Actor) (newKey, error) {
		k, secret, err := s.app.Keys.Rotate(c.Request.Context(), a, school.KeyID{UUID: id}, overlap)
		return newKey{k, secret}, err
	})
	if err != nil {
		return err
	}
	return s.writeNewKey(c, made)
}

// writeNewKey responds with a new key and its secret. Caches must not store the response.
func (s *server) writeNewKey(c *gin.Context, made newKey) error {
	respond.StateOf(c).Secret = &respond.Holder{Type: school.KeyType, UUID: made.key.ID.String()}
	r := s.key(app.Actor{}, made.key)
	r.Attributes = newKeyAttributes{keyAttributes: r.Attributes.(keyAttributes), Secret: made.secret}
	return s.WriteResource(c, s.links.apiKey(made.key.ID.UUID), r)
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
		Links: selfLink{Self: s.links.apiKey(k.ID.UUID)},
	}
}
