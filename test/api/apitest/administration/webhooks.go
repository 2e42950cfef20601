package administration

import (
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/webhook"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Webhooks checks the operations on webhook endpoints and deliveries. Package test/e2e/webhooks
// tests the delivery.
func Webhooks(t *testing.T, s *fixture.Server) {
	const path, deliveries = "/v2/webhook_endpoints", "/v2/webhook_deliveries"

	t.Run("the secret is shown once, when it is created and when it is rotated", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", path, `{"data":{"attributes":{"url":"https://one.example.test","types":["people","courses","people"]}}}`)
		is.Equal(made.Status, 201)
		is.Equal(made.Header.Get("Cache-Control"), "no-store")
		is.True(strings.Contains(made.Body, `"types":["courses","people"]`))
		secret, self := made.Secret(t), path+"/"+made.ID(t)
		is.True(strings.HasPrefix(secret, "whsec_"))
		rotated := s.Send(t, "POST", self+"/secret", "")
		is.Equal(rotated.Status, 201)
		is.True(rotated.Secret(t) != secret)
		for _, shown := range []string{s.Get(t, self).Body, s.Get(t, path).Body} {
			is.True(!strings.Contains(shown, "secret"))
		}
		is.Equal(s.Audited(t, "&filter[record_id][eq]="+made.ID(t))[0].String(), "rotated webhook_endpoints")
		is.Equal(s.Send(t, "DELETE", self, "").Status, 204)
		is.Equal(s.Get(t, self).Status, 404)
	})

	t.Run("all faults are reported together", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "POST", path, `{"data":{"attributes":{"types":["x"],"enabled":"no","description":"\u0007"}}}`)
		for _, part := range []string{"enabled must be true or false", "url can't be blank", "types must contain only *", "description contains a control"} {
			is.True(strings.Contains(strings.Join(a.Failures(t), "\n"), "422 /data/attributes/"+part))
		}
		for _, url := range []string{
			"http://one.example.test", "https://", "https://me:secret@one.example.test", "ftp://x.test",
			"http://127.0.0.1/", "/hook", "https://one.example.test/\n",
		} {
			a := s.Send(t, "PATCH", path+"/"+records.OwnEndpoint, `{"data":{"attributes":{"url":"`+strings.ReplaceAll(url, "\n", "\\nx")+`"}}}`)
			is.Equal(a.Status, 422)
			is.True(strings.HasPrefix(a.Failures(t)[0], "422 /data/attributes/url "))
		}
	})

	t.Run("a ping adds a delivery, a disabled endpoint gets none", func(t *testing.T) {
		is := is.New(t)
		self := path + "/" + records.OwnEndpoint
		ping := s.Send(t, "POST", self+"/ping", "")
		is.Equal(ping.Status, 202)
		is.True(strings.Contains(s.Get(t, deliveries+"/"+ping.ID(t)).Body, `"status":"pending"`))
		is.True(strings.Contains(s.Get(t, deliveries+"?filter[endpoint.id][eq]="+records.OwnEndpoint+"&filter[status][eq]=pending").Body, ping.ID(t)))
		before := len(s.Get(t, deliveries).Page(t).Data)
		is.Equal(s.Send(t, "POST", deliveries+"/"+records.OwnDelivery+"/replay", "").Status, 204)
		is.Equal(len(s.Get(t, deliveries).Page(t).Data), before+1)
		is.Equal(s.Send(t, "PATCH", self, `{"data":{"attributes":{"enabled":false}}}`).Status, 200)
		is.Equal(s.Send(t, "POST", self+"/ping", "").Failures(t), []string{"403 The endpoint is disabled"})
		is.Equal(s.Send(t, "POST", deliveries+"/"+records.OwnDelivery+"/replay", "").Status, 403)
		is.Equal(s.Send(t, "PATCH", self, `{"data":{"attributes":{"enabled":true}}}`).Status, 200)
	})

	t.Run("a replay starts after a change or a position", func(t *testing.T) {
		is := is.New(t)
		replay := func(after string) fixture.Response {
			return s.Send(t, "POST", path+"/"+records.OwnEndpoint+"/replay", `{"data":{"attributes":{"after":"`+after+`"}}}`)
		}
		is.Equal(replay("0").Status, 204)
		actor, err := s.App.Auth.Authenticate(t.Context(), s.Key)
		is.NoErr(err)
		feed, err := s.App.Changes.Feed(t.Context(), actor)
		is.NoErr(err)
		is.Equal(replay(feed.Last().String()).Status, 204)
		const wrong = "422 /data/attributes/after must be the id of a change, or a position of the change feed of this server"
		for _, after := range []string{"x", "-1", records.Unknown + ":1"} {
			is.Equal(replay(after).Failures(t), []string{wrong})
		}
		is.Equal(replay("").Failures(t), []string{"422 /data/attributes/after can't be blank"})
		is.Equal(replay(strconv.FormatInt(feed.End+1_000_000, 10)).Failures(t), []string{"422 /data/attributes/after is after the last change"})
	})

	t.Run("a school has at most 20 endpoints", func(t *testing.T) {
		is := is.New(t)
		var last fixture.Response
		for range webhook.MaxEndpoints {
			last = s.Send(t, "POST", path, `{"data":{"attributes":{"url":"https://many.example.test"}}}`)
		}
		is.Equal(last.Failures(t), []string{"403 A school can have at most 20 webhook endpoints"})
	})
}
