package apitest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/webhook"
)

// webhooks checks the operations on webhook endpoints and deliveries. Package test/e2e/webhooks
// tests the delivery.
func webhooks(t *testing.T, s *server) {
	const path, deliveries = "/v2/webhook_endpoints", "/v2/webhook_deliveries"

	t.Run("the secret is shown once, when it is created and when it is rotated", func(t *testing.T) {
		is := is.New(t)
		made := s.send(t, "POST", path, `{"data":{"attributes":{"url":"https://one.example.test","types":["people","courses","people"]}}}`)
		is.Equal(made.status, 201)
		is.Equal(made.header.Get("Cache-Control"), "no-store")
		is.True(strings.Contains(made.body, `"types":["courses","people"]`))
		secret, self := made.secret(t), path+"/"+made.id(t)
		is.True(strings.HasPrefix(secret, "whsec_"))
		rotated := s.send(t, "POST", self+"/secret", "")
		is.Equal(rotated.status, 201)
		is.True(rotated.secret(t) != secret)
		for _, shown := range []string{s.get(t, self).body, s.get(t, path).body} {
			is.True(!strings.Contains(shown, "secret"))
		}
		is.Equal(s.audited(t, "&filter[record_id][eq]="+made.id(t))[0].String(), "rotated webhook_endpoints")
		is.Equal(s.send(t, "DELETE", self, "").status, 204)
		is.Equal(s.get(t, self).status, 404)
	})

	t.Run("all faults are reported together", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "POST", path, `{"data":{"attributes":{"types":["x"],"enabled":"no","description":"\u0007"}}}`)
		for _, part := range []string{"enabled must be true or false", "url can't be blank", "types must contain only *", "description contains a control"} {
			is.True(strings.Contains(strings.Join(a.failures(t), "\n"), "422 /data/attributes/"+part))
		}
		for _, url := range []string{
			"http://one.example.test", "https://", "https://me:secret@one.example.test", "ftp://x.test",
			"http://127.0.0.1/", "/hook", "https://one.example.test/\n",
		} {
			a := s.send(t, "PATCH", path+"/"+ownEndpoint, `{"data":{"attributes":{"url":"`+strings.ReplaceAll(url, "\n", "\\nx")+`"}}}`)
			is.Equal(a.status, 422)
			is.True(strings.HasPrefix(a.failures(t)[0], "422 /data/attributes/url "))
		}
	})

	t.Run("a ping adds a delivery, a disabled endpoint gets none", func(t *testing.T) {
		is := is.New(t)
		self := path + "/" + ownEndpoint
		ping := s.send(t, "POST", self+"/ping", "")
		is.Equal(ping.status, 202)
		is.True(strings.Contains(s.get(t, deliveries+"/"+ping.id(t)).body, `"status":"pending"`))
		is.True(strings.Contains(s.get(t, deliveries+"?filter[endpoint.id][eq]="+ownEndpoint+"&filter[status][eq]=pending").body, ping.id(t)))
		before := len(s.get(t, deliveries).page(t).Data)
		is.Equal(s.send(t, "POST", deliveries+"/"+ownDelivery+"/replay", "").status, 204)
		is.Equal(len(s.get(t, deliveries).page(t).Data), before+1)
		is.Equal(s.send(t, "PATCH", self, `{"data":{"attributes":{"enabled":false}}}`).status, 200)
		is.Equal(s.send(t, "POST", self+"/ping", "").failures(t), []string{"403 The endpoint is disabled"})
		is.Equal(s.send(t, "POST", deliveries+"/"+ownDelivery+"/replay", "").status, 403)
		is.Equal(s.send(t, "PATCH", self, `{"data":{"attributes":{"enabled":true}}}`).status, 200)
	})

	t.Run("a replay starts after a change or a position", func(t *testing.T) {
		is := is.New(t)
		replay := func(after string) response {
			return s.send(t, "POST", path+"/"+ownEndpoint+"/replay", `{"data":{"attributes":{"after":"`+after+`"}}}`)
		}
		is.Equal(replay("0").status, 204)
		actor, err := s.app.Auth.Authenticate(t.Context(), s.key)
		is.NoErr(err)
		feed, err := s.app.Changes.Feed(t.Context(), actor)
		is.NoErr(err)
		is.Equal(replay(feed.Last().String()).status, 204)
		const wrong = "422 /data/attributes/after must be the id of a change, or a position of the change feed of this server"
		for _, after := range []string{"x", "-1", unknown + ":1"} {
			is.Equal(replay(after).failures(t), []string{wrong})
		}
		is.Equal(replay("").failures(t), []string{"422 /data/attributes/after can't be blank"})
		is.Equal(replay(strconv.FormatInt(feed.End+1_000_000, 10)).failures(t), []string{"422 /data/attributes/after is after the last change"})
	})

	t.Run("a school has at most 20 endpoints", func(t *testing.T) {
		is := is.New(t)
		var last response
		for range webhook.MaxEndpoints {
			last = s.send(t, "POST", path, `{"data":{"attributes":{"url":"https://many.example.test"}}}`)
		}
		is.Equal(last.failures(t), []string{"403 A school can have at most 20 webhook endpoints"})
	})
}
