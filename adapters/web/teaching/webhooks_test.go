package teaching_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
	"lyceum/test/kit/stores"
)

var secretText = regexp.MustCompile(`whsec_[A-Za-z0-9+/=&#;]+`)

// endpoints returns the webhook endpoints of the demo school.
func (s *server) endpoints(t *testing.T) []webhook.Endpoint {
	t.Helper()
	found, err := s.Webhooks.List(t.Context(), app.SystemActor(demo.SchoolID), everything)
	is.New(t).NoErr(err)
	return found.Items
}

// An owner adds a webhook, whose secret is shown once, tests it, changes it and removes it.
func TestWebhooks(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		is.True(b.get("").has(`/webhooks"`)) // in the navigation

		made := b.post("/webhooks", "url", "https://hooks.example.test/lyceum", "description", "Warehouse", "type", "people", "type", "courses")
		is.Equal(made.status, http.StatusOK)
		first := secretText.FindString(made.body)
		is.True(first != "")
		e := s.endpoints(t)[0]
		is.Equal(e.Types, []string{"courses", "people"})
		path := "/webhooks/" + e.ID.String()
		list := b.get("/webhooks")
		is.True(list.has("https://hooks.example.test/lyceum") && list.has("Warehouse") && list.has("<code>people</code>"))
		for _, later := range []page{list, b.get(path), b.get("/audit")} {
			is.Equal(secretText.FindString(later.body), "")
		}

		is.Equal(b.post(path+"/ping").path, path+"?done=1")
		is.True(b.get(path).has("test message"))
		is.True(b.get(path + "?status=pending").has("test message"))
		is.True(b.get(path + "?status=failed").has("No messages match."))
		deliveries, err := s.Webhooks.Deliveries(t.Context(), app.SystemActor(demo.SchoolID), everything)
		is.NoErr(err)
		is.Equal(b.post(path+"/deliveries/"+deliveries.Items[0].ID.String()+"/replay").path, path+"?done=1")
		deliveries, err = s.Webhooks.Deliveries(t.Context(), app.SystemActor(demo.SchoolID), everything)
		is.NoErr(err)
		is.Equal(len(deliveries.Items), 2) // the ping and its replay

		is.Equal(b.post(path+"/replay", "after", "0").path, path+"?done=1")
		refused := b.post(path+"/replay", "after", "soon")
		is.Equal(refused.status, http.StatusUnprocessableEntity)
		is.True(refused.has("After must be the id of a change") && refused.has(`value="soon"`))

		rotated := b.post(path + "/rotate")
		second := secretText.FindString(rotated.body)
		is.True(second != "" && second != first)

		is.Equal(b.post(path, "url", "https://other.example.test", "description", "", "type", "*").path, path+"?done=1")
		is.Equal(s.endpoints(t)[0].URL, "https://other.example.test")
		is.Equal(s.endpoints(t)[0].Types, []string{"*"})

		is.Equal(b.post(path+"/enabled", "enabled", "false").path, path+"?done=1")
		is.True(b.get("/webhooks").has("disabled"))
		ping := b.post(path + "/ping")
		is.Equal(ping.status, http.StatusUnprocessableEntity)
		is.True(ping.has("The endpoint is disabled"))
		is.Equal(b.post(path+"/enabled", "enabled", "true").path, path+"?done=1")
		is.True(s.endpoints(t)[0].Enabled)

		is.True(b.get(path + "/remove").has("Remove https://other.example.test?"))
		is.Equal(b.post(path+"/remove").path, "/webhooks?done=1")
		is.Equal(len(s.endpoints(t)), 0)
		is.Equal(b.get(path).status, http.StatusNotFound)
	})
}

// A form that is refused shows the reason and what was entered, and saves nothing.
func TestWrongWebhooks(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		s := newServer(t, open)
		b := s.as(t, owner)
		for _, tt := range []struct {
			name, reason string
			form         []string
		}{
			{"without TLS", "Url must start with https://", []string{"url", "http://hooks.example.test", "description", "Mine", "type", "people"}},
			{"no URL", "Url can&#39;t be blank", []string{"url", "", "description", "Mine", "type", "people"}},
			{"no types", "Types can&#39;t be blank", []string{"url", "https://hooks.example.test", "description", "Mine"}},
			{"an unknown type", "Types must contain only", []string{"url", "https://hooks.example.test", "description", "Mine", "type", "bees"}},
		} {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				p := b.post("/webhooks", tt.form...)
				is.Equal(p.status, http.StatusUnprocessableEntity)
				is.True(p.has(tt.reason))
				is.True(p.has(`value="Mine"`))
				id := strings.ToLower(strings.Fields(tt.reason)[0]) + "-problem"
				is.True(p.has(`<p class="problem" id="` + id + `">` + tt.reason)) // at the field
				is.Equal(strings.Count(p.body, `aria-describedby="`+id+`"`), 1)
				is.Equal(strings.Count(p.body, `class="problem"`), 1)
				is.Equal(strings.Contains(p.body, `value="people" checked`), len(tt.form) > 4 && tt.form[5] == "people")
				is.Equal(len(s.endpoints(t)), 0)
			})
		}
	})
}

// A server without server.secret cannot save the secret of a webhook, and says so.
func TestWebhookNeedsServerSecret(t *testing.T) {
	is := is.New(t)
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	s.SetServerSecret("")
	p := s.as(t, owner).post("/webhooks", "url", "https://hooks.example.test", "type", "*")
	is.Equal(p.status, http.StatusUnprocessableEntity)
	is.True(p.has("its operator has not set server.secret"))
}

// An owner cannot reach the webhooks and messages of another school.
func TestWebhooksOfAnotherSchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		other, err := s.Provision.CreateSchool(t.Context(), "Other", school.Open, owner)
		is.NoErr(err)
		there, ctx := app.SystemActor(other.ID), t.Context()
		address := "https://hooks.example.test/other"
		foreign, _, err := s.Webhooks.Create(ctx, there, webhook.Changes{URL: &address})
		is.NoErr(err)
		sent, err := s.Webhooks.Ping(ctx, there, foreign.ID)
		is.NoErr(err)
		b := s.as(t, owner)
		own := b.post("/webhooks", "url", "https://hooks.example.test/own", "type", "*")
		is.Equal(own.status, http.StatusOK)
		path := "/webhooks/" + foreign.ID.String()
		pages := []page{
			b.get(path), b.get(path + "/remove"), b.post(path, "url", "https://mine.example.test", "type", "*"), b.post(path+"/enabled", "enabled", "false"),
			b.post(path + "/rotate"), b.post(path + "/ping"), b.post(path+"/replay", "after", "0"), b.post(path + "/remove"),
			b.post(path + "/deliveries/" + sent.ID.String() + "/replay"),
			b.post("/webhooks/" + s.endpoints(t)[0].ID.String() + "/deliveries/" + sent.ID.String() + "/replay"),
		}
		for _, p := range pages {
			is.Equal(p.status, http.StatusNotFound)
			is.True(!p.has(address))
		}
		is.True(!b.get("/webhooks").has(address))
		found, err := s.Webhooks.Get(ctx, there, foreign.ID)
		is.NoErr(err)
		is.Equal(found, foreign) // unchanged
		deliveries, err := s.Webhooks.Deliveries(ctx, there, everything)
		is.NoErr(err)
		is.Equal(len(deliveries.Items), 1)
	})
}
