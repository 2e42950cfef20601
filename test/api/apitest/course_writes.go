package apitest

import (
	"context"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/jobs"
	"lyceum/app/usecase"
)

// permalinks returns the permalinks of all courses.
func (s *server) permalinks(t *testing.T) string {
	t.Helper()
	return s.numbers(t, "/v2/courses", "permalink")
}

// courseWrites checks creating and updating courses.
func courseWrites(t *testing.T, s *server) {
	const list = "/v2/courses"
	t.Run("the permalink is derived from the name and made unique", func(t *testing.T) {
		is := is.New(t)
		for _, want := range []string{"drawing-2", "drawing-3"} {
			made := s.send(t, "POST", list, `{"data":{"attributes":{"name":"Drawing"}}}`)
			is.Equal(made.status, 201)
			is.Equal(made.header.Get("Location"), base+"/v2/courses/"+want)
			is.Equal(s.get(t, "/v2/courses/"+want).body, made.body)
			is.Equal(s.get(t, "/v2/courses/"+made.id(t)).body, made.body)
			is.True(strings.Contains(made.body, `"enrollments_count":0`))
			is.True(strings.Contains(made.body, `"categories":{"data":[]},"instructor_partnerships":{"data":[]}`))
		}
		is.Equal(s.send(t, "POST", list, `{"data":{"attributes":{"name":"数学","permalink":""}}}`).header.Get("Location"), base+"/v2/courses/course")
		is.Equal(s.send(t, "POST", list, `{"data":{"attributes":{"name":"Maths","permalink":"maths"}}}`).header.Get("Location"), base+"/v2/courses/maths")
	})

	t.Run("every record has its own enrollment link", func(t *testing.T) {
		is := is.New(t)
		seen := map[string]bool{}
		for _, link := range strings.Fields(s.numbers(t, list, "course_enrollment_link")) {
			token, onSite := strings.CutPrefix(link, academy+"/c/")
			is.True(onSite && len(token) == 40 && !seen[link])
			seen[link] = true
		}
	})

	t.Run("updated_at changes only if an attribute changes", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, "/v2/courses/singing").body
		s.clock.Advance(1e9)
		is.Equal(s.send(t, "PUT", "/v2/courses/singing", `{"data":{"attributes":{"name":"Singing","permalink":"singing"}}}`).body, before)
		is.Equal(s.send(t, "PATCH", "/v2/courses/"+singing, `{"data":{"type":"courses","uuid":"`+singing+`"}}`).body, before)
		related := s.send(t, "PATCH", "/v2/courses/singing", `{"data":{"relationships":{"categories":{"data":[`+element("categories", music)+`]}}}}`)
		is.Equal(strings.Replace(related.body, `"categories":{"data":[`+element("categories", music)+`]}`, `"categories":{"data":[]}`, 1), before)
		changed := s.send(t, "PATCH", "/v2/courses/singing", `{"data":{"attributes":{"permalink":"sing"}}}`)
		is.Equal(changed.status, 200)
		is.True(strings.Contains(changed.body, `"permalink":"sing"`) && strings.Contains(changed.body, music))
		is.True(strings.Contains(changed.body, `"updated_at":"2026`) != strings.Contains(before, `"updated_at":"2026`))
		is.Equal(s.get(t, "/v1/courses/singing").status, 404)
		is.Equal(s.get(t, "/v2/courses/sing").body, changed.body)
		is.Equal(s.send(t, "PATCH", "/v2/courses/sing", `{"data":{"attributes":{"name":"Singing"},"relationships":{"categories":{"data":[]}}}}`).status, 200)
		is.Equal(s.send(t, "PATCH", "/v2/courses/sing", `{"data":{"attributes":{"permalink":"singing"}}}`).status, 200)
	})

	const taken = "422 /data/attributes/permalink A record with the given permalink has already been taken"
	pointer := func(relation string) string { return "/data/relationships/" + relation }
	before := s.visibleTo(t, s.key)
	for _, tt := range []struct {
		name, method, path, body string
		want                     []string
	}{
		{"taken", "POST", list, `{"data":{"attributes":{"name":"New","permalink":"drawing"}}}`, []string{taken}},
		{"taken", "PATCH", "/v2/courses/singing", `{"data":{"attributes":{"permalink":"drawing"}}}`, []string{taken}},
		{"taken", "POST", list, `{"data":{"type":"x","attributes":{"name":7,"permalink":"drawing"}}}`, []string{
			"409 /data/type must be courses", "422 /data/attributes/name must be a string", taken,
		}},
		{"taken", "PATCH", "/v2/courses/singing", `{"data":{"attributes":{"name":"","permalink":"drawing"}}}`, []string{
			"422 /data/attributes/name can't be blank", taken,
		}},
		{"taken", "PATCH", "/v2/courses/singing", `{"data":{"attributes":{"permalink":"drawing"},"relationships":{"categories":{"data":[` +
			element("categories", unknown) + `]}}}}`, []string{taken, "404 " + pointer("categories") + "/data/0/id " + missing}},
		{"no name", "POST", list, `{"data":{}}`, []string{"422 /data/attributes/name can't be blank"}},
		{"bad permalinks", "POST", list, `{"data":{"attributes":{"name":"New","permalink":"Not So"}}}`, []string{
			"422 /data/attributes/permalink must consist of lowercase letters, digits and single hyphens",
		}},
		{"a permalink that is an id", "PATCH", "/v2/courses/drawing", `{"data":{"attributes":{"permalink":"` + unknown + `"}}}`, []string{
			"422 /data/attributes/permalink must not be a UUID",
		}},
		{"every fault at once", "POST", list, `{"data":{"attributes":{"name":"a\u0000b","permalink":null},"relationships":{"categories":{"data":[` +
			element("categories", theirCategory) + `,` + element("people", design) + `,7]},"instructor_partnerships":{"data":[` + element("partnerships", theirPart) + `]}}}}`, []string{
			"422 /data/attributes/name contains a control character",
			"404 " + pointer("categories") + "/data/0/id " + missing,
			"404 " + pointer("instructor_partnerships") + "/data/0/id " + missing,
			"409 " + pointer("categories") + "/data/1/type must be categories",
			"422 " + pointer("categories") + "/data/2 must be an object with a type and an id",
		}},
		{"no relationships", "PATCH", "/v2/courses/drawing", `{"data":{"relationships":[]}}`, []string{"422 /data/relationships must be an object"}},
		{"no relationship", "PATCH", "/v2/courses/drawing", `{"data":{"relationships":{"categories":7}}}`, []string{
			"422 " + pointer("categories") + " must be an object with the member data",
		}},
		{"not a to-many relationship", "PATCH", "/v2/courses/drawing", `{"data":{"relationships":{"categories":{"data":null}}}}`, []string{
			"422 " + pointer("categories") + " must have an array as its data",
		}},
		{"an id chosen by the client", "POST", list, `{"data":{"id":"` + unknown + `","attributes":{"name":"New"}}}`, []string{"403 /data/id must not be present; the server assigns the id of a new resource"}},
		{"another id", "PATCH", "/v2/courses/drawing", `{"data":{"id":"` + singing + `"}}`, []string{"409 /data/id must match the id in the path"}},
		{"no course", "PATCH", "/v2/courses/" + unknown, `{"data":{"attributes":{"name":""}}}`, []string{"404 " + missing}},
		{"an unknown permalink", "PATCH", "/v2/courses/painting", `{"data":{"attributes":{"name":""}}}`, []string{"404 " + missing}},
	} {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			a := s.send(t, tt.method, tt.path, tt.body)
			is.Equal(a.failures(t), tt.want)
			is.Equal(strings.Contains(a.body, `"meta":{"original":{"type":"courses","uuid":"`+drawing+`"}}`), tt.name == "taken")
		})
	}
	is.New(t).Equal(s.visibleTo(t, s.key), before)
}

// courseRelationships checks the categories, instructors, managers and learners of a course, and
// the managers of a group.
func courseRelationships(t *testing.T, s *server) {
	s.activate(t, grace)
	is := is.New(t)
	const path = "/v2/courses/drawing/relationships/"
	filed := func() string { return s.get(t, "/v2/courses?filter[categories.id]="+music).ids(t) }
	before := s.get(t, "/v2/courses/drawing").body
	s.clock.Advance(1e9)

	is.Equal(s.send(t, "DELETE", path+"categories", data(element("categories", music))).status, 204)
	is.Equal(filed(), "")
	is.Equal(s.send(t, "POST", path+"categories", data(element("categories", music), element("categories", music))).status, 204)
	is.Equal(s.get(t, "/v2/courses/drawing").body, before) // not even updated_at has changed
	is.Equal(s.send(t, "PATCH", path+"categories", data(element("categories", music))).status, 204)
	is.True(!strings.Contains(s.get(t, "/v2/courses/drawing").body, design))
	is.Equal(s.send(t, "PUT", path+"categories", data()).status, 204)
	is.Equal(filed(), "")
	is.Equal(s.send(t, "POST", "/v2/courses/"+drawing+"/relationships/categories", data(element("categories", music), element("categories", design))).status, 204)
	is.Equal(s.get(t, "/v2/courses/drawing").body, before)

	is.Equal(s.send(t, "PATCH", path+"instructor_partnerships", data(element("partnerships", olgasPartnership))).status, 204)
	is.Equal(s.get(t, "/v2/courses?filter[instructor_partnerships.id]="+olgasPartnership).ids(t), drawing)
	is.Equal(s.get(t, "/v2/courses?filter[instructor_partnerships.id]="+alansPartnership).ids(t), "")

	enrolled := func() string { return s.numbers(t, "/v2/courses/drawing/enrollments?sort=role,created_at", "role") }
	is.Equal(enrolled(), "learner manager") // ada, then alan
	is.Equal(s.send(t, "POST", path+"managers", data(element("people", grace), element("people", alan))).status, 204)
	is.Equal(enrolled(), "learner manager manager")
	is.Equal(s.numbers(t, "/v2/courses?filter[uuid]="+drawing, "enrollments_count"), "1") // managers do not count
	is.Equal(s.send(t, "POST", path+"learners", data(element("people", grace), element("people", ada))).status, 204)
	is.Equal(enrolled(), "learner learner manager manager")
	is.Equal(s.numbers(t, "/v2/courses?filter[uuid]="+drawing, "enrollments_count"), "2")
	is.Equal(s.send(t, "DELETE", path+"managers", data(element("people", alan), element("people", grace))).status, 204)
	is.Equal(enrolled(), "learner learner")
	is.Equal(s.send(t, "DELETE", path+"learners", data(element("people", alan), element("people", grace))).status, 204)
	is.Equal(enrolled(), "learner")
	is.Equal(s.numbers(t, "/v2/people?filter[uuid]="+grace, "course_count"), "0")

	const managers = "/v2/groups/" + designers + "/relationships/managers"
	roles := func() string { return s.numbers(t, "/v2/groups/"+designers+"/memberships?sort=role", "role") }
	is.Equal(roles(), "manager member")
	is.Equal(s.send(t, "POST", managers, data(element("people", grace), element("people", ada))).status, 204)
	is.Equal(roles(), "manager manager manager member")
	is.Equal(s.numbers(t, "/v2/people?filter[uuid]="+grace, "course_count"), "0") // managers are not enrolled as learners
	is.Equal(s.send(t, "DELETE", managers, data(element("people", grace), element("people", ada), element("people", alan))).status, 204)
	is.Equal(roles(), "member")
}

// courseDeletion checks that a course is deleted with its content, but with learner data only if
// force is set.
func courseDeletion(t *testing.T, s *server) {
	t.Run("force must be true or false", func(t *testing.T) {
		is := is.New(t)
		for _, force := range []string{"", "1", "TRUE", "yes"} {
			is.Equal(s.send(t, "DELETE", "/v2/courses/drawing?force="+force, "").failures(t), []string{"400 force must be true or false"})
		}
	})

	t.Run("learner data prevents deletion, and nothing changes", func(t *testing.T) {
		is := is.New(t)
		before := s.visibleTo(t, s.key)
		for _, path := range []string{"/v2/courses/drawing", "/v2/courses/" + drawing + "?force=false"} {
			a := s.send(t, "DELETE", path, `{"data":{"type":"courses","id":"`+drawing+`"}}`)
			is.Equal(a.failures(t), []string{"409 The course has learner data that would be deleted with it. Repeat with force=true to delete it anyway"})
			is.True(strings.Contains(a.body, `"meta":{"held":{"activities":4,`))
			is.True(strings.Contains(a.body, `"enrollments":1,"events":`))
		}
		is.Equal(s.send(t, "DELETE", "/v2/courses/drawing?force=true", `{"data":{"type":"people"}}`).failures(t), []string{"409 /data/type must be courses"})
		is.Equal(s.send(t, "DELETE", "/v2/courses/drawing?force=true", `{"data":{"id":"`+singing+`"}}`).failures(t), []string{"409 /data/id must match the id in the path"})
		is.Equal(s.visibleTo(t, s.key), before)
	})

	t.Run("a course without learner data is deleted without force", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v2/courses", `{"data":{"attributes":{"name":"Dance"},"relationships":{"categories":{"data":[`+element("categories", music)+`]}}}}`).status, 201)
		is.Equal(s.send(t, "POST", "/v2/courses/dance/relationships/managers", data(element("people", alan))).status, 204)
		id := s.get(t, "/v2/courses/dance").id(t)
		is.Equal(s.send(t, "POST", "/v2/groups/"+singers+"/relationships/courses", data(element("courses", id))).status, 204)
		is.Equal(s.send(t, "DELETE", "/v2/courses/dance", "").status, 204)
		is.Equal(s.send(t, "DELETE", "/v2/courses/dance", "").status, 404)
		is.Equal(s.get(t, "/v1/courses/"+id).status, 404)
		is.Equal(s.permalinks(t), "drawing singing")
	})

	t.Run("force deletes everything that belongs to the course, and nothing else", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "DELETE", "/v2/courses/drawing?force=true", "")
		is.Equal(a.status, 200)
		is.True(strings.HasPrefix(a.body, `{"meta":{"removed":{"activities":4,`))
		is.Equal(s.permalinks(t), "singing")
		is.Equal(s.get(t, "/v2/courses/drawing").status, 404)
		is.Equal(s.get(t, "/v2/submissions").ids(t), "")
		is.Equal(len(s.get(t, "/v2/activities").page(t).Data), 3)
		is.Equal(s.get(t, "/v2/activities/"+lines).status, 404)
		is.Equal(s.get(t, "/v2/quizzes/"+shapesQuiz).status, 200)
		is.True(!strings.Contains(s.get(t, "/v2/quizzes/"+shapesQuiz).body, look))
		is.Equal(s.get(t, "/v2/analytics/courses?filter[course.id]="+drawing).ids(t), "")
		is.Equal(s.get(t, "/v2/analytics/quiz_raw_answers?filter[course.id]="+drawing).ids(t), "")
		is.Equal(s.numbers(t, "/v2/people?filter[uuid]="+ada, "course_count"), "1")
		is.Equal(s.get(t, "/v2/groups/"+designers).status, 200)

		for removing := true; removing; { // two courses are being removed
			var err error
			removing, err = s.app.CourseRemoval.DeleteNext(t.Context())
			is.NoErr(err)
		}
		is.Equal(s.get(t, "/v2/submissions").ids(t), "")
		queued, err := s.queue.List(context.Background(), jobs.FileCleanupKind)
		is.NoErr(err)
		is.Equal(len(queued), 2) // jobs that delete the submitted files
		for range queued {
			found, err := s.discards.DeleteNext(t.Context())
			is.NoErr(err)
			is.True(found)
		}
		_, err = s.files.Open(t.Context(), usecase.FilesOf(s.own)+adasDrawing)
		is.True(err != nil)
		is.Equal(s.send(t, "POST", "/v2/courses", `{"data":{"attributes":{"name":"Drawing"}}}`).header.Get("Location"), base+"/v2/courses/drawing")
	})
}
