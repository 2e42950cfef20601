package people

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Memberships checks listing, getting and deleting the memberships of a group.
func Memberships(t *testing.T, s *fixture.Server) {
	const list = "/v1/groups/" + records.Designers + "/memberships"
	lists := []struct{ query, want string }{
		{"", records.AdaInDesigners + " " + records.AlanInDesigners}, // ordered by id, because both were created at the same instant
		{"?filter[role][eq]=member", records.AdaInDesigners},
		{"?filter[role]=manag", records.AlanInDesigners},
		{"?filter[person.id][eq]=" + records.Alan, records.AlanInDesigners},
		{"?filter[person.id][in][]=" + records.Alan + "&filter[group.id][eq]=" + records.Designers, records.AlanInDesigners},
		{"?filter[group.id][eq]=" + records.Singers, ""},
		{"?filter[uuid][not_eq]=" + records.AdaInDesigners, records.AlanInDesigners},
		{"?filter[created_at][lt]=2025-11-09", ""},
		{"?sort=role", records.AlanInDesigners + " " + records.AdaInDesigners},
		{"?limit=1&page=2", records.AlanInDesigners},
	}
	for _, tt := range lists {
		t.Run("list"+tt.query, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Get(t, list+tt.query).IDs(t), tt.want)
		})
	}
	t.Run("lists of groups without people and of no group", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Get(t, "/v1/groups/"+records.Singers+"/memberships").IDs(t), "")
		for _, id := range []string{records.Unknown, records.TheirGroup, "x", "%00"} {
			is.Equal(s.Get(t, "/v1/groups/"+id+"/memberships").Failures(t), []string{"404 " + fixture.Missing})
		}
	})
	t.Run("get by id", func(t *testing.T) {
		is := is.New(t)
		for _, r := range s.Get(t, list).Page(t).Data {
			self, ok := r.Links["self"].(string)
			is.True(ok)
			is.Equal(s.Get(t, strings.TrimPrefix(self, records.Base)).ID(t), r.ID)
		}
	})
	t.Run("newest first", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v1/people/"+records.Grace+"/relationships/groups", bodies.Data(bodies.Element("managed-groups", records.Designers))).Status, 204)
		newest := s.Get(t, list).Page(t).Data[0]
		is.Equal(newest.Attributes["role"], "manager")
		is.Equal(s.Get(t, list+"?filter[person.id][eq]="+records.Grace).IDs(t), newest.ID)
	})

	const path = "/v1/memberships/" + records.AdaInDesigners
	for _, tt := range []struct{ body, want string }{
		{`{"data":{"type":"groups"}}`, "409 /data/type must be memberships"},
		{`{"data":{"uuid":"` + records.AlanInDesigners + `"}}`, "409 /data/uuid must match the id in the path"},
	} {
		t.Run("not ended by "+tt.body, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Send(t, "DELETE", path, tt.body).Failures(t), []string{tt.want})
		})
	}
	t.Run("delete in either role", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Numbers(t, "/v1/groups", "membership_count"), "1 0")
		is.Equal(s.Send(t, "DELETE", path, `{"data":{"uuid":"`+records.AdaInDesigners+`"}}`).Status, 204)
		is.Equal(s.Numbers(t, "/v1/groups", "membership_count"), "0 0")
		is.Equal(s.Numbers(t, "/v1/people?filter[uuid]="+records.Ada, "group_count"), "0")
		is.Equal(s.Numbers(t, "/v1/people?filter[uuid]="+records.Ada, "course_count"), "2") // enrollments remain
		is.Equal(s.Get(t, path).Status, 404)
		is.Equal(s.Send(t, "DELETE", path, "").Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Send(t, "DELETE", "/v2/memberships/"+records.AlanInDesigners, "").Status, 204)
		is.Equal(s.Get(t, list+"?filter[person.id][not_eq]="+records.Grace).IDs(t), "")
	})
}

// JoiningGroups checks the effects of a new membership, and which of them remain after the
// membership ends.
func JoiningGroups(t *testing.T, s *fixture.Server) {
	s.Activate(t, records.Grace)
	ofGrace := "/v1/people/" + records.Grace + "/relationships/groups"
	courses := func(t *testing.T) string { return s.Numbers(t, "/v1/courses", "enrollments_count") }
	members := func(t *testing.T) string { return s.Numbers(t, "/v1/groups", "membership_count") }
	groupsOf := func(t *testing.T, person string) string {
		return s.Numbers(t, "/v1/people?filter[uuid]="+person, "group_count")
	}
	before := s.Get(t, "/v1/groups/"+records.Designers).Body
	is := is.New(t)
	is.Equal(courses(t), "1 2") // drawing, then singing
	is.Equal(members(t), "1 0") // designers, then singers

	t.Run("a manager is not enrolled and not counted", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", ofGrace, bodies.Data(bodies.Element("managed-groups", records.Designers))).Status, 204)
		is.Equal(courses(t), "1 2")
		is.Equal(members(t), "1 0")
		is.Equal(groupsOf(t, records.Grace), "0")
	})
	t.Run("a member is enrolled in the group's courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", ofGrace, bodies.Data(bodies.Element("membership-groups", records.Designers), bodies.Element("membership-groups", records.Singers))).Status, 204)
		is.Equal(courses(t), "2 2")
		is.Equal(members(t), "2 1")
		is.Equal(groupsOf(t, records.Grace), "2")
		is.Equal(len(s.Get(t, "/v1/groups/"+records.Designers+"/memberships?filter[person.id]="+records.Grace).Page(t).Data), 2) // grace has both roles
	})
	t.Run("adding a course enrolls members only", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v1/groups/"+records.Designers+"/relationships/courses",
			bodies.Data(bodies.Element("courses", records.Singing), bodies.Element("courses", records.Singing), bodies.Element("courses", records.Drawing))).Status, 204)
		is.Equal(courses(t), "2 3") // grace was enrolled; ada and alan already were
	})
	t.Run("people who are added become members", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v1/groups/"+records.Designers+"/relationships/people",
			bodies.Data(bodies.Element("people", records.Alan), bodies.Element("people", records.Olga), bodies.Element("people", records.Ada), bodies.Element("people", records.Olga))).Status, 204)
		is.Equal(members(t), "4 1")
		is.Equal(courses(t), "4 4") // olga in both, alan in drawing
		is.Equal(s.Get(t, "/v1/learners/"+records.Olga).Status, 200)
	})
	t.Run("a removed course keeps its learners and gets no new ones", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", "/v2/groups/"+records.Designers+"/relationships/courses", bodies.Data(bodies.Element("courses", records.Singing))).Status, 204)
		is.Equal(courses(t), "4 4")
		is.Equal(s.Send(t, "POST", "/v1/learners", `{"data":{"type":"people","attributes":{"email":"new@example.test"}}}`).Status, 201)
		newcomer := s.Get(t, "/v1/learners?filter[email][start]=new@").IDs(t)
		s.Activate(t, newcomer)
		is.Equal(s.Send(t, "POST", "/v2/groups/"+records.Designers+"/relationships/people", bodies.Data(bodies.Element("people", newcomer))).Status, 204)
		is.Equal(courses(t), "5 4")
	})
	t.Run("leaving in one role keeps the other role and the courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", ofGrace, bodies.Data(bodies.Element("membership-groups", records.Designers))).Status, 204)
		is.Equal(s.Numbers(t, "/v1/groups/"+records.Designers+"/memberships?filter[person.id]="+records.Grace, "role"), "manager")
		is.Equal(s.Send(t, "DELETE", "/v2/groups/"+records.Designers+"/relationships/people", bodies.Data(bodies.Element("people", records.Alan))).Status, 204)
		is.Equal(s.Get(t, "/v1/groups/"+records.Designers+"/memberships?filter[person.id]="+records.Alan).IDs(t), records.AlanInDesigners)
		is.Equal(members(t), "3 1") // ada, olga, the new person
		is.Equal(courses(t), "5 4")
		is.Equal(groupsOf(t, records.Grace), "1")
	})
	t.Run("updated_at of the group does not change", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Get(t, "/v1/groups/"+records.Designers).Body, before)
	})
	t.Run("deleting a person deletes the memberships", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", "/v1/people/"+records.Ada, "").Status, 204)
		is.Equal(members(t), "2 1")
		is.Equal(s.Get(t, "/v1/memberships/"+records.AdaInDesigners).Status, 404)
		is.Equal(courses(t), "4 3")
	})
	t.Run("deleting a group deletes its memberships and keeps the courses", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "DELETE", "/v1/groups/"+records.Designers, "").Status, 204)
		is.Equal(members(t), "1")
		is.Equal(courses(t), "4 3")
		is.Equal(s.Get(t, "/v1/memberships/"+records.AlanInDesigners).Status, 404)
		is.Equal(groupsOf(t, records.Olga), "0")
	})
}
