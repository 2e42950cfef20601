package outages

import (
	"cmp"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/routes"
)

// unaudited contains the requests of writes that add no audit event, with the reason.
var unaudited = map[string]string{
	"GET /v2/activity_completions": "reads",

	"POST /v2/webhook_endpoints/:id/ping":    "queues a message",
	"POST /v2/webhook_endpoints/:id/replay":  "queues messages",
	"POST /v2/webhook_deliveries/:id/replay": "queues a message",
	"POST /v2/events":                        "the event feed has a person for each of its events",

	"POST /v1/coupons/:id/activation":               "changes nothing: the coupon is enabled; /v2 changes another one",
	"DELETE /v2/coupons/:id/activation":             "changes nothing: the coupon is disabled; /v1 changes another one",
	"POST /v2/courses/:id/relationships/categories": "changes nothing: the course belongs to the category; PATCH changes it",
}

// Audit sends every request that changes a record (see writes), and checks that it adds an audit
// event with the right actor and the ID of the request.
func Audit(t *testing.T, open func(t *testing.T) fixture.Backend) {
	t.Helper()
	each(t, func(t *testing.T, method string, r routes.Resource, w writeRequest) {
		t.Helper()
		if method == http.MethodGet || unaudited[method+" "+r.Path] != "" {
			return
		}
		is := is.New(t)
		f := newFaulty(t, open(t))
		if w.before != nil {
			w.before(t, f.Server)
		}
		f.Clock.Advance(time.Hour) // so that an invitation can be sent again
		c := f.Request(method, cmp.Or(w.path, r.Of(r.ID))+w.query).With(w.body(t, f.Server)).Set("X-Request-Id", "the-request")
		for name, value := range w.header {
			c.Set(name, value)
		}
		a := c.Send(t)
		is.True(a.Status < 300)
		events := f.Audited(t, "&filter[request_id][eq]=the-request")
		is.True(len(events) > 0)
		for _, e := range events {
			if strings.Contains(r.Path, "/invitations/:id") {
				is.Equal(e.Attributes.ActorType, "invitation")
				is.True(e.Attributes.PersonID != nil)
				continue
			}
			is.Equal(e.Attributes.ActorType, "api_key")
			is.Equal(*e.Attributes.ActorID, f.KeyID(t))
		}
	})
}
