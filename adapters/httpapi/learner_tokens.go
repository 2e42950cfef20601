package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/person"
	"lyceum/domain/token"
)

// newToken is a created token and its secret, which is shown only once.
type newToken struct {
	token  token.Token
	secret string
}

// createToken creates a token of the person in the path.
func (s *server) createToken(c *gin.Context, a app.Actor) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	d, err := s.readOptional(c, token.Type)
	if err != nil {
		return err
	}
	expiry := token.Expiry{
		At: request.Attribute(d, "expires_at", request.TimeOf), In: request.Attribute(d, "expires_in", request.IntegerOf),
	}
	made, err := collectFaults(d.Faults, a, func(a app.Actor) (newToken, error) {
		t, secret, err := s.app.Tokens.Create(c.Request.Context(), a, person.ID{UUID: id}, expiry)
		return newToken{t, secret}, err
	})
	if err != nil {
		return err
	}
	respond.StateOf(c).Secret = &respond.Holder{Type: token.Type, UUID: made.token.ID.String()}
	return s.WriteResource(c, s.links.personTokens(id), tokenResource(made))
}

type tokenAttributes struct {
	CreatedAt string `json:"created_at"`
	ExpiresAt string `json:"expires_at"`
	Token     string `json:"token"`
}

type tokenRelationships struct {
	Person jsonapi.ToOne `json:"person"`
}

func tokenResource(made newToken) jsonapi.Resource {
	return jsonapi.Resource{
		Type: token.Type,
		ID:   made.token.ID.String(),
		Attributes: tokenAttributes{
			CreatedAt: timestamp(made.token.CreatedAt), ExpiresAt: timestamp(made.token.ExpiresAt), Token: made.secret,
		},
		Relationships: tokenRelationships{Person: jsonapi.One(person.Type, made.token.Person.String())},
	}
}
