package apitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
)

const emailTaken = "422 /data/attributes/email A record with the given email has already been taken"

func peopleV2(t *testing.T, s *server) {
	t.Run("create, update and delete", func(t *testing.T) {
		is := is.New(t)
		made := s.send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":" New@example.test ","full_name":"X","course_count":7,"unsubscribed":true}}}`)
		is.Equal(made.status, 201)
		path := "/v2/people/" + made.id(t)
		is.Equal(made.header.Get("Location"), base+path)
		is.Equal(made.header.Get("Location"), ownLink.FindStringSubmatch(made.body)[1])
		is.Equal(s.get(t, path).body, made.body)
		is.True(strings.Contains(made.body, `"email":"New@example.test","full_name":"New@example.test"`))
		is.True(strings.Contains(made.body, `"unsubscribed":true`))
		is.Equal(s.queuedInvitations(t), made.id(t)) // although the person is unsubscribed

		s.clock.Advance(1e9)
		changed := s.send(t, "PATCH", path, `{"data":{"type":"people","attributes":{"email":"neue@example.test","first_name":"Neue",`+
			`"last_name":"Frau","unsubscribed":false,"custom_avatar_url":"https://img.example.test/n.png"}}}`)
		is.Equal(changed.status, 200)
		is.Equal(s.get(t, path).body, changed.body)
		is.True(strings.Contains(changed.body, `"custom_avatar_url":"https://img.example.test/n.png","email":"neue@example.test","full_name":"Neue Frau"`))
		is.True(strings.Contains(changed.body, `"first_name":"Neue","last_name":"Frau","name":"Neue Frau","unsubscribed":false`))
		is.Equal(s.get(t, "/v1/people?filter[email][eq]=neue@example.test").ids(t), made.id(t))

		s.clock.Advance(1e9)
		for _, same := range []string{
			`{}`, `{"attributes":{}}`, `{"attributes":{"first_name":" Neue ","unsubscribed":false,"role":"owner"}}`,
			`{"attributes":{"email":"neue@example.test","custom_avatar_url":"https://img.example.test/n.png"}}`,
		} {
			is.Equal(s.send(t, "PUT", path, `{"data":`+same+`}`).body, changed.body) // not even updated_at has changed
		}
		bare := s.send(t, "PUT", path, `{"data":{"attributes":{"custom_avatar_url":null,"first_name":null,"last_name":""}}}`)
		is.Equal(bare.status, 200)
		is.True(strings.Contains(bare.body, `"custom_avatar_url":null,"email":"neue@example.test","full_name":"neue@example.test"`))
		is.Equal(s.queuedInvitations(t), made.id(t)) // an update sends no invitation

		is.Equal(s.send(t, "DELETE", path, `{"data":{"type":"people"}}`).status, 204)
		is.Equal(s.get(t, path).failures(t), []string{"404 " + missing})
		is.Equal(s.send(t, "PATCH", path, `{"data":{}}`).status, 404)
		is.Equal(s.send(t, "DELETE", path, "").status, 404)
	})

	t.Run("the case of an email address can be changed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "PUT", "/v2/people/"+ada, `{"data":{"attributes":{"email":"ADA@example.test"}}}`).status, 200)
	})

	t.Run("relationships do not change updated_at", func(t *testing.T) {
		is := is.New(t)
		s.clock.Advance(1e9)
		const path = "/v2/people/" + grace
		before := s.get(t, "/v2/people?filter[uuid]="+grace).page(t).Data[0].Attributes
		s.activate(t, grace)
		since := s.get(t, "/v2/people?filter[uuid]="+grace).page(t).Data[0].Attributes
		is.True(before["updated_at"] != since["updated_at"])
		s.clock.Advance(1e9)
		is.Equal(s.send(t, "POST", path+"/relationships/courses", data(element("enrolled-courses", drawing))).status, 204)
		is.Equal(s.send(t, "POST", path+"/relationships/groups", data(element("membership-groups", singers))).status, 204)
		after := s.get(t, "/v2/people?filter[uuid]="+grace).page(t).Data[0].Attributes
		is.Equal(after["updated_at"], since["updated_at"])
		is.Equal(after["course_count"], 1.0)
		is.Equal(after["group_count"], 1.0)
	})

	t.Run("the methods contain delete exactly if deletion is allowed", func(t *testing.T) {
		is := is.New(t)
		is.True(strings.Contains(s.get(t, "/v2/people/"+olga).body, `/v2/people/`+olga+`","methods":["get"]`))
		is.Equal(s.send(t, "DELETE", "/v2/people/"+olga, "").status, 403)
		is.True(strings.Contains(s.get(t, "/v2/people/"+ada).body, `/v2/people/`+ada+`","methods":["get","delete"]`))
	})

	t.Run("rejected", func(t *testing.T) { s.rejectPeople(t) })

	t.Run("forbidden under URL authentication", func(t *testing.T) {
		is := is.New(t)
		for _, body := range []string{
			`{"data":{"attributes":{"email":"a@example.test"}}}`, `{"data":{"type":"groups"}}`, `{"data":{"attributes":{"email":7}}}`,
		} {
			a := s.request("POST", "/v2/people").as(s.urlKey).with(body).send(t)
			is.Equal(a.failures(t), []string{"403 Learners cannot be created while the school uses URL authentication"})
		}
		is.Equal(s.request("GET", "/v2/people").as(s.urlKey).send(t).ids(t), "")
	})
}

// rejectPeople checks the faults of new and updated people. They are reported together, and nothing
// is saved.
func (s *server) rejectPeople(t *testing.T) {
	const path = "/v2/people/" + alan
	before, messages := s.visibleTo(t, s.key), s.queuedInvitations(t)
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
		{"taken", "PATCH", `{"type":"groups","uuid":"` + ada + `","attributes":{"email":"olga@example.test"}}`, []string{
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
		{"an id chosen by the client", "POST", `{"id":"` + unknown + `"}`, []string{"403 /data/id must not be present; the server assigns the id of a new resource"}},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			to := map[string]string{"POST": "/v2/people", "PATCH": path}[tt.method]
			a := s.send(t, tt.method, to, `{"data":`+tt.data+`}`)
			is.Equal(a.failures(t), tt.want)
			is.Equal(strings.Contains(a.body, `"meta":{"original":{"type":"people","uuid":"`+olga+`"}}`), tt.name == "taken")
		})
	}
	t.Run("an unknown person is 404 whatever the body is", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "PATCH", "/v2/people/"+unknown, `{"data":{"type":"groups","attributes":{"email":7}}}`)
		is.Equal(a.status, http.StatusNotFound)
		is.Equal(len(a.failures(t)), 1)
	})
	is := is.New(t)
	is.Equal(s.visibleTo(t, s.key), before)
	is.Equal(s.queuedInvitations(t), messages)
}

// queuedInvitations returns the ids of the school's people whose invitation emails are queued,
// separated by spaces.
func (s *server) queuedInvitations(t *testing.T) string {
	t.Helper()
	waiting, err := s.queue.List(t.Context(), invitation.Kind)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, j := range waiting {
		if j.School == s.own {
			ids = append(ids, j.Payload)
		}
	}
	return strings.Join(ids, " ")
}
