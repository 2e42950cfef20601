package teaching_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/kit/stores"
)

// token returns the token of the first form of a page that has one.
func token(t *testing.T, p page) string {
	t.Helper()
	found := tokens.FindString(p.body)
	is.New(t).True(found != "")
	return strings.Split(found, `"`)[3]
}

// A form that creates a record does so once, also if the browser sends it again.
func TestFormsAreProcessedOnce(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		const again = "This form was already sent"

		key := []string{"name", "My script", "scope", "read", "form_token", token(t, b.get("/keys"))}
		is.True(b.post("/keys", key...).has("it is not shown again"))
		reloaded := b.post("/keys", key...)
		is.Equal(reloaded.status, http.StatusUnprocessableEntity)
		is.True(reloaded.has(again) && !reloaded.has("it is not shown again"))
		is.Equal(strings.Count(b.get("/keys").body, `<th scope="row">My script</th>`), 1)

		rotate := hrefs(strings.ReplaceAll(b.get("/keys").body, "action=", "href="), "/rotate")[0]
		rotate = strings.TrimPrefix(s.origin+rotate, s.base)
		keys := b.get("/keys")
		fields, rows := []string{"form_token", token(t, keys)}, strings.Count(keys.body, `<th scope="row">`)
		is.True(b.post(rotate, fields...).has("it is not shown again"))
		is.True(b.post(rotate, fields...).has(again))
		is.Equal(strings.Count(b.get("/keys").body, `<th scope="row">`), rows+1)

		course := []string{"name", "Twin", "form_token", token(t, b.get("/add-course"))}
		is.Equal(b.post("/courses", course...).path, "/courses/twin/builder?done=1")
		is.Equal(b.post("/courses", course...).path, "/courses/twin/builder?done=1")
		is.Equal(b.get("/courses/twin-2").status, http.StatusNotFound)
		course[1] = "Triplet" // typed after Back
		is.Equal(b.post("/courses", course...).path, "/courses/triplet/builder?done=1")

		webhook := []string{"url", "https://hooks.example.test/a", "type", "*", "form_token", token(t, b.get("/webhooks"))}
		is.Equal(b.post("/webhooks", webhook...).status, http.StatusOK)
		is.True(b.post("/webhooks", webhook...).has(again))
	})
}
