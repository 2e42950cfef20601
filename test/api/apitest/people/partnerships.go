package people

import (
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// partnershipBody returns the body of a request that creates a partnership.
func partnershipBody(role, id string) string {
	return `{"data":{"type":"partnerships","attributes":{"role":` + role + `},"relationships":{"person":{"data":` + bodies.Element("people", id) + `}}}}`
}

// Partnerships checks creating and deleting partnerships, and that a school always has an owner.
func Partnerships(t *testing.T, s *fixture.Server) {
	const list = "/v2/partnerships"
	t.Run("create, get, reject a duplicate, delete", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v2/courses/drawing/relationships/managers", bodies.Data(bodies.Element("people", records.Olga))).Status, 204)
		made := s.Send(t, "POST", list, partnershipBody(`"instructor"`, records.Grace))
		is.Equal(made.Status, 201)
		path := list + "/" + made.ID(t)
		is.Equal(made.Header.Get("Location"), records.Base+path)
		is.Equal(s.Get(t, path).Body, made.Body)
		is.Equal(s.Get(t, list+"?filter[person.id]="+records.Grace).IDs(t), made.ID(t))
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Grace, "").Status, 403) // a person with a partnership cannot be deleted
		is.Equal(s.Send(t, "POST", "/v2/courses/singing/relationships/instructor_partnerships", bodies.Data(bodies.Element("partnerships", made.ID(t)))).Status, 204)

		again := s.Send(t, "POST", list, partnershipBody(`"instructor"`, records.Grace))
		is.Equal(again.Failures(t), []string{"422 /data/attributes/role A record with the given role has already been taken"})
		is.True(strings.Contains(again.Body, `"meta":{"original":{"type":"partnerships","uuid":"`+made.ID(t)+`"}}`))
		is.Equal(s.Send(t, "POST", list, partnershipBody(`"manager"`, records.Grace)).Status, 201) // the same person may have several roles

		is.Equal(s.Send(t, "DELETE", path, `{"data":{"type":"people"}}`).Failures(t), []string{"409 /data/type must be partnerships"})
		is.Equal(s.Send(t, "DELETE", path, `{"data":{"type":"partnerships","id":"`+made.ID(t)+`"}}`).Status, 204)
		is.Equal(s.Get(t, path).Status, 404)
		is.Equal(s.Send(t, "DELETE", path, "").Status, 404)
		is.True(!strings.Contains(s.Get(t, "/v2/courses/singing").Body, made.ID(t))) // the person is no longer an instructor
		is.Equal(s.Send(t, "DELETE", list+"/"+s.Get(t, list+"?filter[person.id]="+records.Grace).IDs(t), "").Status, 204)
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Grace, "").Status, 204)
	})

	before := s.VisibleTo(t, s.Key)
	const roles = "422 /data/attributes/role must be one of: owner, manager, instructor"
	const person = "/data/relationships/person"
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"no role", partnershipBody(`""`, records.Ada), []string{"422 /data/attributes/role can't be blank"}},
		{"a null role", partnershipBody(`null`, records.Ada), []string{"422 /data/attributes/role can't be blank"}},
		{"an unknown role", partnershipBody(`"Owner"`, records.Ada), []string{roles}},
		{"a role that is a number", partnershipBody(`7`, records.Ada), []string{"422 /data/attributes/role must be a string"}},
		{"an unknown person", partnershipBody(`"owner"`, records.Unknown), []string{"404 " + person + "/data/id " + fixture.Missing}},
		{"a person of another school", partnershipBody(`"owner"`, records.TheirPerson), []string{"404 " + person + "/data/id " + fixture.Missing}},
		{"a malformed id, and no role", partnershipBody(`""`, "ada"), []string{
			"422 /data/attributes/role can't be blank", "404 " + person + "/data/id " + fixture.Missing,
		}},
		{"nothing", `{"data":{}}`, []string{"422 " + person + " can't be blank", "422 /data/attributes/role can't be blank"}},
		{"another type", strings.Replace(partnershipBody(`"x"`, records.Ada), `"people"`, `"courses"`, 1), []string{
			roles, "409 " + person + "/data/type must be people",
		}},
		{"no relationships", `{"data":{"attributes":{"role":"owner"},"relationships":7}}`, []string{"422 /data/relationships must be an object"}},
		{"many", `{"data":{"attributes":{"role":"owner"},"relationships":{"person":{"data":[]}}}}`, []string{
			"422 " + person + "/data must be an object with a type and an id",
		}},
	} {
		t.Run("rejected: "+tt.name, func(t *testing.T) { is.New(t).Equal(s.Send(t, "POST", list, tt.body).Failures(t), tt.want) })
	}

	t.Run("the last owner cannot be removed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", list+"/"+records.OlgasPartnership, "").Failures(t), []string{"403 The last owner of the school cannot be removed"})
		is.Equal(s.VisibleTo(t, s.Key), before)
	})

	t.Run("of two owners removed concurrently one remains", func(t *testing.T) {
		is := is.New(t)
		parts := []string{records.OlgasPartnership, s.Send(t, "POST", list, partnershipBody(`"owner"`, records.Ada)).ID(t)}
		statuses := make([]int, len(parts))
		var wg sync.WaitGroup
		for i, id := range parts {
			wg.Go(func() { statuses[i] = s.Send(t, "DELETE", list+"/"+id, "").Status })
		}
		wg.Wait()
		is.Equal(statuses[0]+statuses[1], 204+403)
		is.Equal(len(s.Get(t, list+"?filter[role][eq]=owner").Page(t).Data), 1)
	})
}
