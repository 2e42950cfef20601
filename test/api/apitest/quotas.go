package apitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
)

// quotas checks that a school cannot exceed its quotas.
func quotas(t *testing.T, s *server) {
	school := s.store.Read(s.own).School
	t.Run("people", func(t *testing.T) {
		is := is.New(t)
		n, err := school.CountPeople(t.Context())
		is.NoErr(err)
		s.app.SetQuotas(app.Quotas{People: n + 2})
		is.Equal(s.send(t, "POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"one@example.test"}}}`).status, 201)
		a := s.applyBulk(t, "people", `[
			{"email":"ada@example.test","groups":"Designers"},{"email":"two@example.test"},{"email":"three@example.test"},
			{"email":"TWO@example.test","groups":"Designers"},{"email":"one@example.test"},{"email":"three@example.test","groups":"None"}
		]`)
		full := "cannot be created: the school has reached its maximum of " + fmt.Sprint(n+2) + " people"
		is.Equal(a.rowErrors(t), []string{
			"422 /data/attributes/people/2/email " + full, "422 /data/attributes/people/5/groups is not the name of a group",
		})
		before := s.get(t, "/v1/people").body
		is.Equal(s.send(t, "POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"four@example.test"}}}`).
			failures(t), []string{"422 /data " + full})
		is.Equal(s.get(t, "/v1/people").body, before)
		kept, err := school.CountPeople(t.Context())
		is.NoErr(err)
		is.Equal(kept, n+2)
	})

	t.Run("bytes", func(t *testing.T) {
		is := is.New(t)
		n, err := school.StoredBytes(t.Context())
		is.NoErr(err)
		s.app.SetQuotas(app.Quotas{Bytes: n + 5})
		is.Equal(s.submitForm(t, stillLife, "person", ada, "file", "a.txt|abc").status, 201)
		before := s.get(t, "/v2/submissions").body
		full := "422 file is larger than the space left for files in this school (maximum is " + fmt.Sprint(n+5) + " bytes in total)"
		for _, form := range [][]string{
			{"person", ada, "file", "a.txt|abc"},
			{"file", "a.txt|abc", "activity", still, "person", ada},
			{"person", ada, "file", "a.txt|" + strings.Repeat("x", 1000)},
		} {
			is.Equal(s.submitForm(t, stillLife, form...).failures(t), []string{full})
			is.Equal(s.get(t, "/v2/submissions").body, before)
		}
		is.Equal(s.submitForm(t, stillLife, "person", ada, "file", "a.txt|ab").status, 201)
		is.Equal(s.submitForm(t, stillLife, "person", ada, "file", "empty|").status, 201)
		kept, err := school.StoredBytes(t.Context())
		is.NoErr(err)
		is.Equal(kept, n+5)
	})
}
