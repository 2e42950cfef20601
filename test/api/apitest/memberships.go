package apitest

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// memberships checks listing, getting and deleting the memberships of a group.
func memberships(t *testing.T, s *server) {
	const list = "/v1/groups/" + designers + "/memberships"
	lists := []struct{ query, want string }{
		{"", adaInDesigners + " " + alanInDesigners}, // ordered by id, because both were created at the same instant
		{"?filter[role][eq]=member", adaInDesigners},
		{"?filter[role]=manag", alanInDesigners},
		{"?filter[person.id][eq]=" + alan, alanInDesigners},
		{"?filter[person.id][in][]=" + alan + "&filter[group.id][eq]=" + designers, alanInDesigners},
		{"?filter[group.id][eq]=" + singers, ""},
		{"?filter[uuid][not_eq]=" + adaInDesigners, alanInDesigners},
		{"?filter[created_at][lt]=2025-11-09", ""},
		{"?sort=role", alanInDesigners + " " + adaInDesigners},
		{"?limit=1&page=2", alanInDesigners},
	}
	for _, tt := range lists {
		t.Run("list"+tt.query, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.get(t, list+tt.query).ids(t), tt.want)
		})
	}
	t.Run("lists of groups without people and of no group", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.get(t, "/v1/groups/"+singers+"/memberships").ids(t), "")
		for _, id := range []string{unknown, theirGroup, "x", "%00"} {
			is.Equal(s.get(t, "/v1/groups/"+id+"/memberships").failures(t), []string{"404 " + missing})
		}
	})
	t.Run("get by id", func(t *testing.T) {
		is := is.New(t)
		for _, r := range s.get(t, list).page(t).Data {
			self, ok := r.Links["self"].(string)
			is.True(ok)
			is.Equal(s.get(t, strings.TrimPrefix(self, base)).id(t), r.ID)
		}
	})
	t.Run("newest first", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v1/people/"+grace+"/relationships/groups", data(element("managed-groups", designers))).status, 204)
		newest := s.get(t, list).page(t).Data[0]
		is.Equal(newest.Attributes["role"], "manager")
		is.Equal(s.get(t, list+"?filter[person.id][eq]="+grace).ids(t), newest.ID)
	})

	const path = "/v1/memberships/" + adaInDesigners
	for _, tt := range []struct{ body, want string }{
		{`{"data":{"type":"groups"}}`, "409 /data/type must be memberships"},
		{`{"data":{"uuid":"` + alanInDesigners + `"}}`, "409 /data/uuid must match the id in the path"},
	} {
		t.Run("not ended by "+tt.body, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.send(t, "DELETE", path, tt.body).failures(t), []string{tt.want})
		})
	}
	t.Run("delete in either role", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.numbers(t, "/v1/groups", "membership_count"), "1 0")
		is.Equal(s.send(t, "DELETE", path, `{"data":{"uuid":"`+adaInDesigners+`"}}`).status, 204)
		is.Equal(s.numbers(t, "/v1/groups", "membership_count"), "0 0")
		is.Equal(s.numbers(t, "/v1/people?filter[uuid]="+ada, "group_count"), "0")
		is.Equal(s.numbers(t, "/v1/people?filter[uuid]="+ada, "course_count"), "2") // enrollments remain
		is.Equal(s.get(t, path).status, 404)
		is.Equal(s.send(t, "DELETE", path, "").failures(t), []string{"404 " + missing})
		is.Equal(s.send(t, "DELETE", "/v2/memberships/"+alanInDesigners, "").status, 204)
		is.Equal(s.get(t, list+"?filter[person.id][not_eq]="+grace).ids(t), "")
	})
}

// joining checks the effects of a new membership, and which of them remain after the membership
// ends.
func joining(t *testing.T, s *server) {
	s.activate(t, grace)
	ofGrace := "/v1/people/" + grace + "/relationships/groups"
	courses := func(t *testing.T) string { return s.numbers(t, "/v1/courses", "enrollments_count") }
	members := func(t *testing.T) string { return s.numbers(t, "/v1/groups", "membership_count") }
	groupsOf := func(t *testing.T, person string) string {
		return s.numbers(t, "/v1/people?filter[uuid]="+person, "group_count")
	}
	before := s.get(t, "/v1/groups/"+designers).body
	is := is.New(t)
	is.Equal(courses(t), "1 2") // drawing, then singing
	is.Equal(members(t), "1 0") // designers, then singers

	t.Run("a manager is not enrolled and not counted", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", ofGrace, data(element("managed-groups", designers))).status, 204)
		is.Equal(courses(t), "1 2")
		is.Equal(members(t), "1 0")
		is.Equal(groupsOf(t, grace), "0")
	})
	t.Run("a member is enrolled in the group's courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", ofGrace, data(element("membership-groups", designers), element("membership-groups", singers))).status, 204)
		is.Equal(courses(t), "2 2")
		is.Equal(members(t), "2 1")
		is.Equal(groupsOf(t, grace), "2")
		is.Equal(len(s.get(t, "/v1/groups/"+designers+"/memberships?filter[person.id]="+grace).page(t).Data), 2) // grace has both roles
	})
	t.Run("adding a course enrolls members only", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v1/groups/"+designers+"/relationships/courses",
			data(element("courses", singing), element("courses", singing), element("courses", drawing))).status, 204)
		is.Equal(courses(t), "2 3") // grace was enrolled; ada and alan already were
	})
	t.Run("people who are added become members", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v1/groups/"+designers+"/relationships/people",
			data(element("people", alan), element("people", olga), element("people", ada), element("people", olga))).status, 204)
		is.Equal(members(t), "4 1")
		is.Equal(courses(t), "4 4") // olga in both, alan in drawing
		is.Equal(s.get(t, "/v1/learners/"+olga).status, 200)
	})
	t.Run("a removed course keeps its learners and gets no new ones", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", "/v2/groups/"+designers+"/relationships/courses", data(element("courses", singing))).status, 204)
		is.Equal(courses(t), "4 4")
		is.Equal(s.send(t, "POST", "/v1/learners", `{"data":{"type":"people","attributes":{"email":"new@example.test"}}}`).status, 201)
		newcomer := s.get(t, "/v1/learners?filter[email][start]=new@").ids(t)
		s.activate(t, newcomer)
		is.Equal(s.send(t, "POST", "/v2/groups/"+designers+"/relationships/people", data(element("people", newcomer))).status, 204)
		is.Equal(courses(t), "5 4")
	})
	t.Run("leaving in one role keeps the other role and the courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", ofGrace, data(element("membership-groups", designers))).status, 204)
		is.Equal(s.numbers(t, "/v1/groups/"+designers+"/memberships?filter[person.id]="+grace, "role"), "manager")
		is.Equal(s.send(t, "DELETE", "/v2/groups/"+designers+"/relationships/people", data(element("people", alan))).status, 204)
		is.Equal(s.get(t, "/v1/groups/"+designers+"/memberships?filter[person.id]="+alan).ids(t), alanInDesigners)
		is.Equal(members(t), "3 1") // ada, olga, the new person
		is.Equal(courses(t), "5 4")
		is.Equal(groupsOf(t, grace), "1")
	})
	t.Run("updated_at of the group does not change", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.get(t, "/v1/groups/"+designers).body, before)
	})
	t.Run("deleting a person deletes the memberships", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", "/v1/people/"+ada, "").status, 204)
		is.Equal(members(t), "2 1")
		is.Equal(s.get(t, "/v1/memberships/"+adaInDesigners).status, 404)
		is.Equal(courses(t), "4 3")
	})
	t.Run("deleting a group deletes its memberships and keeps the courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "DELETE", "/v1/groups/"+designers, "").status, 204)
		is.Equal(members(t), "1")
		is.Equal(courses(t), "4 3")
		is.Equal(s.get(t, "/v1/memberships/"+alanInDesigners).status, 404)
		is.Equal(groupsOf(t, olga), "0")
	})
}
