package administration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Quotas checks that a school cannot exceed its quotas.
func Quotas(t *testing.T, s *fixture.Server) {
	school := s.Store.Read(s.Own).School
	t.Run("people", func(t *testing.T) {
		is := is.New(t)
		n, err := school.CountPeople(t.Context())
		is.NoErr(err)
		s.App.SetQuotas(app.Quotas{People: n + 2})
		is.Equal(s.Send(t, "POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"one@example.test"}}}`).Status, 201)
		a := s.ApplyBulk(t, "people", `[
			{"email":"ada@example.test","groups":"Designers"},{"email":"two@example.test"},{"email":"three@example.test"},
			{"email":"TWO@example.test","groups":"Designers"},{"email":"one@example.test"},{"email":"three@example.test","groups":"None"}
		]`)
		full := "cannot be created: the school has reached its maximum of " + fmt.Sprint(n+2) + " people"
		is.Equal(a.RowErrors(t), []string{
			"422 /data/attributes/people/2/email " + full, "422 /data/attributes/people/5/groups is not the name of a group",
		})
		before := s.Get(t, "/v1/people").Body
		is.Equal(s.Send(t, "POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"four@example.test"}}}`).
			Failures(t), []string{"422 /data " + full})
		is.Equal(s.Get(t, "/v1/people").Body, before)
		kept, err := school.CountPeople(t.Context())
		is.NoErr(err)
		is.Equal(kept, n+2)
	})

	t.Run("bytes", func(t *testing.T) {
		is := is.New(t)
		n, err := school.StoredBytes(t.Context())
		is.NoErr(err)
		s.App.SetQuotas(app.Quotas{Bytes: n + 5})
		is.Equal(s.SubmitForm(t, records.StillLife, "person", records.Ada, "file", "a.txt|abc").Status, 201)
		before := s.Get(t, "/v2/submissions").Body
		full := "422 file is larger than the space left for files in this school (maximum is " + fmt.Sprint(n+5) + " bytes in total)"
		for _, form := range [][]string{
			{"person", records.Ada, "file", "a.txt|abc"},
			{"file", "a.txt|abc", "activity", records.Still, "person", records.Ada},
			{"person", records.Ada, "file", "a.txt|" + strings.Repeat("x", 1000)},
		} {
			is.Equal(s.SubmitForm(t, records.StillLife, form...).Failures(t), []string{full})
			is.Equal(s.Get(t, "/v2/submissions").Body, before)
		}
		is.Equal(s.SubmitForm(t, records.StillLife, "person", records.Ada, "file", "a.txt|ab").Status, 201)
		is.Equal(s.SubmitForm(t, records.StillLife, "person", records.Ada, "file", "empty|").Status, 201)
		kept, err := school.StoredBytes(t.Context())
		is.NoErr(err)
		is.Equal(kept, n+5)
	})
}
