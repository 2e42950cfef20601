package httpapi

import (
	"github.com/gin-gonic/gin"
	"lyceum/adapters/admission"
	"lyceum/app"
)

// exchange is what is known of a request on its way through the server.
type exchange struct {
	requestID string
	mediaType string          // of the answer's body
	accepted  bool            // whether the client accepts that type
	query     []pair          // the request's parameters
	actor     app.Actor       // zero until the key is recognised
	bodyLimit int64           // how many bytes the body may have; 0: as many as usual
	secret    *holder         // the record whose secret the answer shows; nil: none
	slot      *admission.Slot // in which the request runs; nil: none
	recording bool            // whether the response is recorded before it is sent
	// manyParameters says that the query has more than maxParameters, so that query
	// has none.
	manyParameters bool
}

// origin returns where the request comes from.
func (x *exchange) origin() admission.Origin {
	return admission.Origin{School: x.actor.School().UUID, Key: x.actor.Key().UUID}
}

// keyParameter is the query parameter that may hold the API key.
const keyParameter = "api_key"

const exchangeKey = "exchange"

// begin gives c the exchange that exchangeOf returns.
func begin(c *gin.Context, x *exchange) { c.Set(exchangeKey, x) }

func exchangeOf(c *gin.Context) *exchange {
	return c.MustGet(exchangeKey).(*exchange)
}
