package people

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// V1 checks the people of v1.
func V1(t *testing.T, s *fixture.Server) {
	t.Run("the methods contain delete exactly if deletion is allowed", func(t *testing.T) {
		is := is.New(t)
		for _, r := range s.Get(t, "/v1/people").Page(t).Data {
			methods := len(r.Links["self"].(map[string]any)["methods"].([]any))
			status := s.Send(t, "DELETE", "/v1/people/"+r.ID, `{"data":{}}`).Status
			is.Equal(status == 204, methods == 2) // DELETE is one of the methods
			is.Equal(status == 403, methods == 1)
		}
		is.Equal(s.Get(t, "/v1/people").IDs(t), records.Alan+" "+records.Olga)
		is.Equal(s.Get(t, "/v1/people/"+records.Ada).Status, 404)
	})
	t.Run("deletion deletes the person's data", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Get(t, "/v1/courses?filter[enrollments_count][gt]=0").IDs(t), records.Singing)
		is.Equal(s.Get(t, "/v1/groups?filter[membership_count][gt]=0").IDs(t), "")
	})
}

// Learners checks creating and deleting learners.
func Learners(t *testing.T, s *fixture.Server) {
	create := func(t *testing.T, attributes string) fixture.Response {
		t.Helper()
		return s.Send(t, "POST", "/v1/learners", `{"data":{"type":"people","attributes":`+attributes+`}}`)
	}
	t.Run("create", func(t *testing.T) {
		is := is.New(t)
		a := create(t, `{"email":" New@example.test "}`)
		is.Equal(a.Status, 201)
		is.Equal(a.Header.Get("Location"), records.Base+"/v1/people/"+a.ID(t))
		is.Equal(s.Get(t, "/v1/learners?filter[email][eq]=New@example.test").IDs(t), a.ID(t))
		is.Equal(s.Get(t, "/v1/people/"+a.ID(t)).Status, 200)

		messages, err := s.Queue.List(t.Context(), invitation.Kind)
		is.NoErr(err)
		is.Equal(len(messages), 1) // no invitation emails are queued for people of the fixture
		is.Equal(messages[0].School, s.Own)
		is.Equal(messages[0].Payload, a.ID(t))
	})

	tests := []struct {
		name, attributes string
		want             []string
	}{
		{"no address", `{}`, []string{"422 /data/attributes/email can't be blank"}},
		{"blank address", `{"email":" "}`, []string{"422 /data/attributes/email can't be blank"}},
		{"null address", `{"email":null}`, []string{"422 /data/attributes/email can't be blank"}},
		{"number", `{"email":7}`, []string{"422 /data/attributes/email must be a string"}},
		{"not an email address", `{"email":"ada"}`, []string{"422 /data/attributes/email is not a valid email address"}},
		{"control character", `{"email":"a\u0000@example.test"}`, []string{"422 /data/attributes/email contains a control character"}},
		{"invalid UTF-8", "{\"email\":\"\xff@example.test\"}", []string{"422 /data/attributes/email is not valid UTF-8"}},
		{"half a surrogate pair", `{"email":"\ud800@example.test"}`, []string{"422 /data/attributes/email is not valid UTF-8"}},
		{"every fault at once", `{"email":"","first_name":[],"last_name":"a\nb"}`, []string{
			"422 /data/attributes/first_name must be a string",
			"422 /data/attributes/email can't be blank",
			"422 /data/attributes/last_name contains a control character",
		}},
		{"taken", `{"email":"ADA@EXAMPLE.TEST"}`, []string{emailTaken}},
		{"taken", `{"email":"ada@example.test","last_name":7}`, []string{"422 /data/attributes/last_name must be a string", emailTaken}},
		{"taken", `{"email":"ada@example.test","last_name":"\u0000"}`, []string{
			"422 /data/attributes/last_name contains a control character", emailTaken,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := create(t, tt.attributes)
			is.Equal(a.Failures(t), tt.want)
			is.Equal(strings.Contains(a.Body, `"meta":{"original":{"type":"people","uuid":"`+records.Ada+`"}}`), tt.name == "taken")
		})
	}

	t.Run("forbidden under URL authentication", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("POST", "/v1/learners").As(s.URLKey).
			With(`{"data":{"type":"learners","attributes":{"email":"a@example.test"}}}`).Send(t)
		is.Equal(a.Status, 403)
		is.Equal(s.Request("GET", "/v1/people").As(s.URLKey).Send(t).IDs(t), "")
	})
	t.Run("people who are not learners do not exist", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Get(t, "/v1/learners/"+records.Olga).Status, 404)
		is.Equal(s.Send(t, "DELETE", "/v1/learners/"+records.Olga, "").Status, 404)
	})
	t.Run("a learner with a partnership cannot be deleted", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Get(t, "/v1/learners/"+records.Alan).Status, 200)
		is.Equal(s.Send(t, "DELETE", "/v1/learners/"+records.Alan, "").Status, 403)
	})
	t.Run("delete", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", "/v1/learners/"+records.Ada, `{"data":{"type":"people","uuid":"`+records.Ada+`"}}`).Status, 204)
		is.Equal(s.Get(t, "/v1/people/"+records.Ada).Status, 404)
	})
}
