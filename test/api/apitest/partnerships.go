package apitest

import (
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
)

// partnershipBody returns the body of a request that creates a partnership.
func partnershipBody(role, id string) string {
	return `{"data":{"type":"partnerships","attributes":{"role":` + role + `},"relationships":{"person":{"data":` + element("people", id) + `}}}}`
}

// partnerships checks creating and deleting partnerships, and that a school always has an owner.
func partnerships(t *testing.T, s *server) {
	const list = "/v2/partnerships"
	t.Run("create, get, reject a duplicate, delete", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v2/courses/drawing/relationships/managers", data(element("people", olga))).status, 204)
		made := s.send(t, "POST", list, partnershipBody(`"instructor"`, grace))
		is.Equal(made.status, 201)
		path := list + "/" + made.id(t)
		is.Equal(made.header.Get("Location"), base+path)
		is.Equal(s.get(t, path).body, made.body)
		is.Equal(s.get(t, list+"?filter[person.id]="+grace).ids(t), made.id(t))
		is.Equal(s.send(t, "DELETE", "/v2/people/"+grace, "").status, 403) // a person with a partnership cannot be deleted
		is.Equal(s.send(t, "POST", "/v2/courses/singing/relationships/instructor_partnerships", data(element("partnerships", made.id(t)))).status, 204)

		again := s.send(t, "POST", list, partnershipBody(`"instructor"`, grace))
		is.Equal(again.failures(t), []string{"422 /data/attributes/role A record with the given role has already been taken"})
		is.True(strings.Contains(again.body, `"meta":{"original":{"type":"partnerships","uuid":"`+made.id(t)+`"}}`))
		is.Equal(s.send(t, "POST", list, partnershipBody(`"manager"`, grace)).status, 201) // the same person may have several roles

		is.Equal(s.send(t, "DELETE", path, `{"data":{"type":"people"}}`).failures(t), []string{"409 /data/type must be partnerships"})
		is.Equal(s.send(t, "DELETE", path, `{"data":{"type":"partnerships","id":"`+made.id(t)+`"}}`).status, 204)
		is.Equal(s.get(t, path).status, 404)
		is.Equal(s.send(t, "DELETE", path, "").status, 404)
		is.True(!strings.Contains(s.get(t, "/v2/courses/singing").body, made.id(t))) // the person is no longer an instructor
		is.Equal(s.send(t, "DELETE", list+"/"+s.get(t, list+"?filter[person.id]="+grace).ids(t), "").status, 204)
		is.Equal(s.send(t, "DELETE", "/v2/people/"+grace, "").status, 204)
	})

	before := s.visibleTo(t, s.key)
	const roles = "422 /data/attributes/role must be one of: owner, manager, instructor"
	const person = "/data/relationships/person"
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"no role", partnershipBody(`""`, ada), []string{"422 /data/attributes/role can't be blank"}},
		{"a null role", partnershipBody(`null`, ada), []string{"422 /data/attributes/role can't be blank"}},
		{"an unknown role", partnershipBody(`"Owner"`, ada), []string{roles}},
		{"a role that is a number", partnershipBody(`7`, ada), []string{"422 /data/attributes/role must be a string"}},
		{"an unknown person", partnershipBody(`"owner"`, unknown), []string{"404 " + person + "/data/id " + missing}},
		{"a person of another school", partnershipBody(`"owner"`, theirPerson), []string{"404 " + person + "/data/id " + missing}},
		{"a malformed id, and no role", partnershipBody(`""`, "ada"), []string{
			"422 /data/attributes/role can't be blank", "404 " + person + "/data/id " + missing,
		}},
		{"nothing", `{"data":{}}`, []string{"422 " + person + " can't be blank", "422 /data/attributes/role can't be blank"}},
		{"another type", strings.Replace(partnershipBody(`"x"`, ada), `"people"`, `"courses"`, 1), []string{
			roles, "409 " + person + "/data/type must be people",
		}},
		{"no relationships", `{"data":{"attributes":{"role":"owner"},"relationships":7}}`, []string{"422 /data/relationships must be an object"}},
		{"many", `{"data":{"attributes":{"role":"owner"},"relationships":{"person":{"data":[]}}}}`, []string{
			"422 " + person + "/data must be an object with a type and an id",
		}},
	} {
		t.Run("rejected: "+tt.name, func(t *testing.T) { is.New(t).Equal(s.send(t, "POST", list, tt.body).failures(t), tt.want) })
	}

	t.Run("the last owner cannot be removed", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", list+"/"+olgasPartnership, "").failures(t), []string{"403 The last owner of the school cannot be removed"})
		is.Equal(s.visibleTo(t, s.key), before)
	})

	t.Run("of two owners removed concurrently one remains", func(t *testing.T) {
		is := is.New(t)
		parts := []string{olgasPartnership, s.send(t, "POST", list, partnershipBody(`"owner"`, ada)).id(t)}
		statuses := make([]int, len(parts))
		var wg sync.WaitGroup
		for i, id := range parts {
			wg.Go(func() { statuses[i] = s.send(t, "DELETE", list+"/"+id, "").status })
		}
		wg.Wait()
		is.Equal(statuses[0]+statuses[1], 204+403)
		is.Equal(len(s.get(t, list+"?filter[role][eq]=owner").page(t).Data), 1)
	})
}
