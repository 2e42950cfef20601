package people

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

const emailTaken = "422 /data/attributes/email A record with the given email has already been taken"

// V2 checks the people of v2.
func V2(t *testing.T, s *fixture.Server) {
	t.Run("create, update and delete", func(t *testing.T) {
		is := is.New(t)
		made := s.Send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":" New@example.test ","full_name":"X","course_count":7,"unsubscribed":true}}}`)
		is.Equal(made.Status, 201)
		path := "/v2/people/" + made.ID(t)
		is.Equal(made.Header.Get("Location"), records.Base+path)
		is.Equal(made.Header.Get("Location"), fixture.OwnLink.FindStringSubmatch(made.Body)[1])
		is.Equal(s.Get(t, path).Body, made.Body)
		is.True(strings.Contains(made.Body, `"email":"New@example.test","full_name":"New@example.test"`))
		is.True(strings.Contains(made.Body, `"unsubscribed":true`))
		is.Equal(queuedInvitations(t, s), made.ID(t)) // although the person is unsubscribed

		s.Clock.Advance(1e9)
		changed := s.Send(t, "PATCH", path, `{"data":{"type":"people","attributes":{"email":"neue@example.test","first_name":"Neue",`+
			`"last_name":"Frau","unsubscribed":false,"custom_avatar_url":"https://img.example.test/n.png"}}}`)
		is.Equal(changed.Status, 200)
		is.Equal(s.Get(t, path).Body, changed.Body)
		is.True(strings.Contains(changed.Body, `"custom_avatar_url":"https://img.example.test/n.png","email":"neue@example.test","full_name":"Neue Frau"`))
		is.True(strings.Contains(changed.Body, `"first_name":"Neue","last_name":"Frau","name":"Neue Frau","unsubscribed":false`))
		is.Equal(s.Get(t, "/v1/people?filter[email][eq]=neue@example.test").IDs(t), made.ID(t))

		s.Clock.Advance(1e9)
		for _, same := range []string{
			`{}`, `{"attributes":{}}`, `{"attributes":{"first_name":" Neue ","unsubscribed":false,"role":"owner"}}`,
			`{"attributes":{"email":"neue@example.test","custom_avatar_url":"https://img.example.test/n.png"}}`,
		} {
			is.Equal(s.Send(t, "PUT", path, `{"data":`+same+`}`).Body, changed.Body) // not even updated_at has changed
		}
		bare := s.Send(t, "PUT", path, `{"data":{"attributes":{"custom_avatar_url":null,"first_name":null,"last_name":""}}}`)
		is.Equal(bare.Status, 200)
		is.True(strings.Contains(bare.Body, `"custom_avatar_url":null,"email":"neue@example.test","full_name":"neue@example.test"`))
		is.Equal(queuedInvitations(t, s), made.ID(t)) // an update sends no invitation

		is.Equal(s.Send(t, "DELETE", path, `{"data":{"type":"people"}}`).Status, 204)
		is.Equal(s.Get(t, path).Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Send(t, "PATCH", path, `{"data":{}}`).Status, 404)
		is.Equal(s.Send(t, "DELETE", path, "").Status, 404)
	})

	t.Run("the case of an email address can be changed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "PUT", "/v2/people/"+records.Ada, `{"data":{"attributes":{"email":"ADA@example.test"}}}`).Status, 200)
	})

	t.Run("relationships do not change updated_at", func(t *testing.T) {
		is := is.New(t)
		s.Clock.Advance(1e9)
		const path = "/v2/people/" + records.Grace
		before := s.Get(t, "/v2/people?filter[uuid]="+records.Grace).Page(t).Data[0].Attributes
		s.Activate(t, records.Grace)
		since := s.Get(t, "/v2/people?filter[uuid]="+records.Grace).Page(t).Data[0].Attributes
		is.True(before["updated_at"] != since["updated_at"])
		s.Clock.Advance(1e9)
		is.Equal(s.Send(t, "POST", path+"/relationships/courses", bodies.Data(bodies.Element("enrolled-courses", records.Drawing))).Status, 204)
		is.Equal(s.Send(t, "POST", path+"/relationships/groups", bodies.Data(bodies.Element("membership-groups", records.Singers))).Status, 204)
		after := s.Get(t, "/v2/people?filter[uuid]="+records.Grace).Page(t).Data[0].Attributes
		is.Equal(after["updated_at"], since["updated_at"])
		is.Equal(after["course_count"], 1.0)
		is.Equal(after["group_count"], 1.0)
	})

	t.Run("the methods contain delete exactly if deletion is allowed", func(t *testing.T) {
		is := is.New(t)
		is.True(strings.Contains(s.Get(t, "/v2/people/"+records.Olga).Body, `/v2/people/`+records.Olga+`","methods":["get"]`))
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Olga, "").Status, 403)
		is.True(strings.Contains(s.Get(t, "/v2/people/"+records.Ada).Body, `/v2/people/`+records.Ada+`","methods":["get","delete"]`))
	})

	t.Run("rejected", func(t *testing.T) { rejectPeople(t, s) })

	t.Run("forbidden under URL authentication", func(t *testing.T) {
		is := is.New(t)
		for _, body := range []string{
			`{"data":{"attributes":{"email":"a@example.test"}}}`, `{"data":{"type":"groups"}}`, `{"data":{"attributes":{"email":7}}}`,
		} {
			a := s.Request("POST", "/v2/people").As(s.URLKey).With(body).Send(t)
			is.Equal(a.Failures(t), []string{"403 Learners cannot be created while the school uses URL authentication"})
		}
		is.Equal(s.Request("GET", "/v2/people").As(s.URLKey).Send(t).IDs(t), "")
	})
}

// rejectPeople checks the faults of new and updated people. They are reported together, and nothing
// is saved.
func rejectPeople(t *testing.T, s *fixture.Server) {
	const path = "/v2/people/" + records.Alan
	before, messages := s.VisibleTo(t, s.Key), queuedInvitations(t, s)
	const noURL = "422 /data/attributes/custom_avatar_url must be an absolute http or https URL"
	tests := []struct {
		name, method, data string
		want               []string
	}{
		{"no address", "POST", `{}`, []string{"422 /data/attributes/email can't be blank"}},
		{"null", "PATCH", `{"attributes":{"email":null,"unsubscribed":null}}`, []string{
			"422 /data/attributes/unsubscribed can't be blank", "422 /data/attributes/email can't be blank",
		}},
		{"taken", "POST", `{"attributes":{"email":"OLGA@example.test"}}`, []string{emailTaken}},
		{"taken", "PATCH", `{"attributes":{"email":"olga@Example.test "}}`, []string{emailTaken}},
		{"taken", "PATCH", `{"attributes":{"email":"olga@example.test","custom_avatar_url":"a.png","last_name":"a\u0000"}}`, []string{
			"422 /data/attributes/last_name contains a control character", noURL, emailTaken,
		}},
		{"taken", "POST", `{"attributes":{"email":"olga@example.test","custom_avatar_url":"ftp://a.test/a.png"}}`, []string{noURL, emailTaken}},
		{"taken", "POST", `{"type":"groups","attributes":{"email":"olga@example.test","first_name":[]}}`, []string{
			"409 /data/type must be people", "422 /data/attributes/first_name must be a string", emailTaken,
		}},
		{"taken", "PATCH", `{"type":"groups","uuid":"` + records.Ada + `","attributes":{"email":"olga@example.test"}}`, []string{
			"409 /data/type must be people", "409 /data/uuid must match the id in the path", emailTaken,
		}},
		{"every fault at once", "POST", `{"attributes":{"email":7,"first_name":true,"last_name":{},"unsubscribed":"yes","custom_avatar_url":[]}}`, []string{
			"422 /data/attributes/email must be a string", "422 /data/attributes/first_name must be a string",
			"422 /data/attributes/last_name must be a string", "422 /data/attributes/custom_avatar_url must be a string",
			"422 /data/attributes/unsubscribed must be true or false",
		}},
		{"a long avatar URL", "PATCH", `{"attributes":{"custom_avatar_url":"https://a.test/` + strings.Repeat("a", 2048) + `"}}`, []string{
			"422 /data/attributes/custom_avatar_url is too long (maximum is 2048 characters)",
		}},
		{"a number for a boolean", "PATCH", `{"attributes":{"unsubscribed":1}}`, []string{"422 /data/attributes/unsubscribed must be true or false"}},
		{"an id chosen by the client", "POST", `{"id":"` + records.Unknown + `"}`, []string{"403 /data/id must not be present; the server assigns the id of a new resource"}},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			to := map[string]string{"POST": "/v2/people", "PATCH": path}[tt.method]
			a := s.Send(t, tt.method, to, `{"data":`+tt.data+`}`)
			is.Equal(a.Failures(t), tt.want)
			is.Equal(strings.Contains(a.Body, `"meta":{"original":{"type":"people","uuid":"`+records.Olga+`"}}`), tt.name == "taken")
		})
	}
	t.Run("an unknown person is 404 whatever the body is", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "PATCH", "/v2/people/"+records.Unknown, `{"data":{"type":"groups","attributes":{"email":7}}}`)
		is.Equal(a.Status, http.StatusNotFound)
		is.Equal(len(a.Failures(t)), 1)
	})
	is := is.New(t)
	is.Equal(s.VisibleTo(t, s.Key), before)
	is.Equal(queuedInvitations(t, s), messages)
}

// queuedInvitations returns the ids of the school's people whose invitation emails are queued,
// separated by spaces.
func queuedInvitations(t *testing.T, s *fixture.Server) string {
	t.Helper()
	waiting, err := s.Queue.List(t.Context(), invitation.Kind)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, j := range waiting {
		if j.School == s.Own {
			ids = append(ids, j.Payload)
		}
	}
	return strings.Join(ids, " ")
}
