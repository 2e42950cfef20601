package catalog

import (
	"context"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// permalinks returns the permalinks of all courses.
func permalinks(t *testing.T, s *fixture.Server) string {
	t.Helper()
	return s.Numbers(t, "/v2/courses", "permalink")
}

// CourseWrites checks creating and updating courses.
func CourseWrites(t *testing.T, s *fixture.Server) {
	const list = "/v2/courses"
	t.Run("the permalink is derived from the name and made unique", func(t *testing.T) {
		is := is.New(t)
		for _, want := range []string{"drawing-2", "drawing-3"} {
			made := s.Send(t, "POST", list, `{"data":{"attributes":{"name":"Drawing"}}}`)
			is.Equal(made.Status, 201)
			is.Equal(made.Header.Get("Location"), records.Base+"/v2/courses/"+want)
			is.Equal(s.Get(t, "/v2/courses/"+want).Body, made.Body)
			is.Equal(s.Get(t, "/v2/courses/"+made.ID(t)).Body, made.Body)
			is.True(strings.Contains(made.Body, `"enrollments_count":0`))
			is.True(strings.Contains(made.Body, `"categories":{"data":[]},"instructor_partnerships":{"data":[]}`))
		}
		is.Equal(s.Send(t, "POST", list, `{"data":{"attributes":{"name":"数学","permalink":""}}}`).Header.Get("Location"), records.Base+"/v2/courses/course")
		is.Equal(s.Send(t, "POST", list, `{"data":{"attributes":{"name":"Maths","permalink":"maths"}}}`).Header.Get("Location"), records.Base+"/v2/courses/maths")
	})

	t.Run("every record has its own enrollment link", func(t *testing.T) {
		is := is.New(t)
		seen := map[string]bool{}
		for _, link := range strings.Fields(s.Numbers(t, list, "course_enrollment_link")) {
			token, onSite := strings.CutPrefix(link, records.Academy+"/c/")
			is.True(onSite && len(token) == 40 && !seen[link])
			seen[link] = true
		}
	})

	t.Run("updated_at changes only if an attribute changes", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, "/v2/courses/singing").Body
		s.Clock.Advance(1e9)
		is.Equal(s.Send(t, "PUT", "/v2/courses/singing", `{"data":{"attributes":{"name":"Singing","permalink":"singing"}}}`).Body, before)
		is.Equal(s.Send(t, "PATCH", "/v2/courses/"+records.Singing, `{"data":{"type":"courses","uuid":"`+records.Singing+`"}}`).Body, before)
		related := s.Send(t, "PATCH", "/v2/courses/singing", `{"data":{"relationships":{"categories":{"data":[`+bodies.Element("categories", records.Music)+`]}}}}`)
		is.Equal(strings.Replace(related.Body, `"categories":{"data":[`+bodies.Element("categories", records.Music)+`]}`, `"categories":{"data":[]}`, 1), before)
		changed := s.Send(t, "PATCH", "/v2/courses/singing", `{"data":{"attributes":{"permalink":"sing"}}}`)
		is.Equal(changed.Status, 200)
		is.True(strings.Contains(changed.Body, `"permalink":"sing"`) && strings.Contains(changed.Body, records.Music))
		is.True(strings.Contains(changed.Body, `"updated_at":"2026`) != strings.Contains(before, `"updated_at":"2026`))
		is.Equal(s.Get(t, "/v1/courses/singing").Status, 404)
		is.Equal(s.Get(t, "/v2/courses/sing").Body, changed.Body)
		is.Equal(s.Send(t, "PATCH", "/v2/courses/sing", `{"data":{"attributes":{"name":"Singing"},"relationships":{"categories":{"data":[]}}}}`).Status, 200)
		is.Equal(s.Send(t, "PATCH", "/v2/courses/sing", `{"data":{"attributes":{"permalink":"singing"}}}`).Status, 200)
	})

	const taken = "422 /data/attributes/permalink A record with the given permalink has already been taken"
	pointer := func(relation string) string { return "/data/relationships/" + relation }
	before := s.VisibleTo(t, s.Key)
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
			bodies.Element("categories", records.Unknown) + `]}}}}`, []string{taken, "404 " + pointer("categories") + "/data/0/id " + fixture.Missing}},
		{"no name", "POST", list, `{"data":{}}`, []string{"422 /data/attributes/name can't be blank"}},
		{"bad permalinks", "POST", list, `{"data":{"attributes":{"name":"New","permalink":"Not So"}}}`, []string{
			"422 /data/attributes/permalink must consist of lowercase letters, digits and single hyphens",
		}},
		{"a permalink that is an id", "PATCH", "/v2/courses/drawing", `{"data":{"attributes":{"permalink":"` + records.Unknown + `"}}}`, []string{
			"422 /data/attributes/permalink must not be a UUID",
		}},
		{"every fault at once", "POST", list, `{"data":{"attributes":{"name":"a\u0000b","permalink":null},"relationships":{"categories":{"data":[` +
			bodies.Element("categories", records.TheirCategory) + `,` + bodies.Element("people", records.Design) + `,7]},"instructor_partnerships":{"data":[` + bodies.Element("partnerships", records.TheirPart) + `]}}}}`, []string{
			"422 /data/attributes/name contains a control character",
			"404 " + pointer("categories") + "/data/0/id " + fixture.Missing,
			"404 " + pointer("instructor_partnerships") + "/data/0/id " + fixture.Missing,
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
		{"an id chosen by the client", "POST", list, `{"data":{"id":"` + records.Unknown + `","attributes":{"name":"New"}}}`, []string{"403 /data/id must not be present; the server assigns the id of a new resource"}},
		{"another id", "PATCH", "/v2/courses/drawing", `{"data":{"id":"` + records.Singing + `"}}`, []string{"409 /data/id must match the id in the path"}},
		{"no course", "PATCH", "/v2/courses/" + records.Unknown, `{"data":{"attributes":{"name":""}}}`, []string{"404 " + fixture.Missing}},
		{"an unknown permalink", "PATCH", "/v2/courses/painting", `{"data":{"attributes":{"name":""}}}`, []string{"404 " + fixture.Missing}},
	} {
		t.Run(tt.method+" "+tt.name, func(t *testing.T) {
			is := is.New(t)
			a := s.Send(t, tt.method, tt.path, tt.body)
			is.Equal(a.Failures(t), tt.want)
			is.Equal(strings.Contains(a.Body, `"meta":{"original":{"type":"courses","uuid":"`+records.Drawing+`"}}`), tt.name == "taken")
		})
	}
	is.New(t).Equal(s.VisibleTo(t, s.Key), before)
}

// CourseRelationships checks the categories, instructors, managers and learners of a course, and
// the managers of a group.
func CourseRelationships(t *testing.T, s *fixture.Server) {
	s.Activate(t, records.Grace)
	is := is.New(t)
	const path = "/v2/courses/drawing/relationships/"
	filed := func() string { return s.Get(t, "/v2/courses?filter[categories.id]="+records.Music).IDs(t) }
	before := s.Get(t, "/v2/courses/drawing").Body
	s.Clock.Advance(1e9)

	is.Equal(s.Send(t, "DELETE", path+"categories", bodies.Data(bodies.Element("categories", records.Music))).Status, 204)
	is.Equal(filed(), "")
	is.Equal(s.Send(t, "POST", path+"categories", bodies.Data(bodies.Element("categories", records.Music), bodies.Element("categories", records.Music))).Status, 204)
	is.Equal(s.Get(t, "/v2/courses/drawing").Body, before) // not even updated_at has changed
	is.Equal(s.Send(t, "PATCH", path+"categories", bodies.Data(bodies.Element("categories", records.Music))).Status, 204)
	is.True(!strings.Contains(s.Get(t, "/v2/courses/drawing").Body, records.Design))
	is.Equal(s.Send(t, "PUT", path+"categories", bodies.Data()).Status, 204)
	is.Equal(filed(), "")
	is.Equal(s.Send(t, "POST", "/v2/courses/"+records.Drawing+"/relationships/categories", bodies.Data(bodies.Element("categories", records.Music), bodies.Element("categories", records.Design))).Status, 204)
	is.Equal(s.Get(t, "/v2/courses/drawing").Body, before)

	is.Equal(s.Send(t, "PATCH", path+"instructor_partnerships", bodies.Data(bodies.Element("partnerships", records.OlgasPartnership))).Status, 204)
	is.Equal(s.Get(t, "/v2/courses?filter[instructor_partnerships.id]="+records.OlgasPartnership).IDs(t), records.Drawing)
	is.Equal(s.Get(t, "/v2/courses?filter[instructor_partnerships.id]="+records.AlansPartnership).IDs(t), "")

	enrolled := func() string { return s.Numbers(t, "/v2/courses/drawing/enrollments?sort=role,created_at", "role") }
	is.Equal(enrolled(), "learner manager") // ada, then alan
	is.Equal(s.Send(t, "POST", path+"managers", bodies.Data(bodies.Element("people", records.Grace), bodies.Element("people", records.Alan))).Status, 204)
	is.Equal(enrolled(), "learner manager manager")
	is.Equal(s.Numbers(t, "/v2/courses?filter[uuid]="+records.Drawing, "enrollments_count"), "1") // managers do not count
	is.Equal(s.Send(t, "POST", path+"learners", bodies.Data(bodies.Element("people", records.Grace), bodies.Element("people", records.Ada))).Status, 204)
	is.Equal(enrolled(), "learner learner manager manager")
	is.Equal(s.Numbers(t, "/v2/courses?filter[uuid]="+records.Drawing, "enrollments_count"), "2")
	is.Equal(s.Send(t, "DELETE", path+"managers", bodies.Data(bodies.Element("people", records.Alan), bodies.Element("people", records.Grace))).Status, 204)
	is.Equal(enrolled(), "learner learner")
	is.Equal(s.Send(t, "DELETE", path+"learners", bodies.Data(bodies.Element("people", records.Alan), bodies.Element("people", records.Grace))).Status, 204)
	is.Equal(enrolled(), "learner")
	is.Equal(s.Numbers(t, "/v2/people?filter[uuid]="+records.Grace, "course_count"), "0")

	const managers = "/v2/groups/" + records.Designers + "/relationships/managers"
	roles := func() string { return s.Numbers(t, "/v2/groups/"+records.Designers+"/memberships?sort=role", "role") }
	is.Equal(roles(), "manager member")
	is.Equal(s.Send(t, "POST", managers, bodies.Data(bodies.Element("people", records.Grace), bodies.Element("people", records.Ada))).Status, 204)
	is.Equal(roles(), "manager manager manager member")
	is.Equal(s.Numbers(t, "/v2/people?filter[uuid]="+records.Grace, "course_count"), "0") // managers are not enrolled as learners
	is.Equal(s.Send(t, "DELETE", managers, bodies.Data(bodies.Element("people", records.Grace), bodies.Element("people", records.Ada), bodies.Element("people", records.Alan))).Status, 204)
	is.Equal(roles(), "member")
}

// CourseDeletion checks that a course is deleted with its content, but with learner data only if
// force is set.
func CourseDeletion(t *testing.T, s *fixture.Server) {
	t.Run("force must be true or false", func(t *testing.T) {
		is := is.New(t)
		for _, force := range []string{"", "1", "TRUE", "yes"} {
			is.Equal(s.Send(t, "DELETE", "/v2/courses/drawing?force="+force, "").Failures(t), []string{"400 force must be true or false"})
		}
	})

	t.Run("learner data prevents deletion, and nothing changes", func(t *testing.T) {
		is := is.New(t)
		before := s.VisibleTo(t, s.Key)
		for _, path := range []string{"/v2/courses/drawing", "/v2/courses/" + records.Drawing + "?force=false"} {
			a := s.Send(t, "DELETE", path, `{"data":{"type":"courses","id":"`+records.Drawing+`"}}`)
			is.Equal(a.Failures(t), []string{"409 The course has learner data that would be deleted with it. Repeat with force=true to delete it anyway"})
			is.True(strings.Contains(a.Body, `"meta":{"held":{"activities":4,`))
			is.True(strings.Contains(a.Body, `"enrollments":1,"events":`))
		}
		is.Equal(s.Send(t, "DELETE", "/v2/courses/drawing?force=true", `{"data":{"type":"people"}}`).Failures(t), []string{"409 /data/type must be courses"})
		is.Equal(s.Send(t, "DELETE", "/v2/courses/drawing?force=true", `{"data":{"id":"`+records.Singing+`"}}`).Failures(t), []string{"409 /data/id must match the id in the path"})
		is.Equal(s.VisibleTo(t, s.Key), before)
	})

	t.Run("a course without learner data is deleted without force", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v2/courses", `{"data":{"attributes":{"name":"Dance"},"relationships":{"categories":{"data":[`+bodies.Element("categories", records.Music)+`]}}}}`).Status, 201)
		is.Equal(s.Send(t, "POST", "/v2/courses/dance/relationships/managers", bodies.Data(bodies.Element("people", records.Alan))).Status, 204)
		id := s.Get(t, "/v2/courses/dance").ID(t)
		is.Equal(s.Send(t, "POST", "/v2/groups/"+records.Singers+"/relationships/courses", bodies.Data(bodies.Element("courses", id))).Status, 204)
		is.Equal(s.Send(t, "DELETE", "/v2/courses/dance", "").Status, 204)
		is.Equal(s.Send(t, "DELETE", "/v2/courses/dance", "").Status, 404)
		is.Equal(s.Get(t, "/v1/courses/"+id).Status, 404)
		is.Equal(permalinks(t, s), "drawing singing")
	})

	t.Run("force deletes everything that belongs to the course, and nothing else", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "DELETE", "/v2/courses/drawing?force=true", "")
		is.Equal(a.Status, 200)
		is.True(strings.HasPrefix(a.Body, `{"meta":{"removed":{"activities":4,`))
		is.Equal(permalinks(t, s), "singing")
		is.Equal(s.Get(t, "/v2/courses/drawing").Status, 404)
		is.Equal(s.Get(t, "/v2/submissions").IDs(t), "")
		is.Equal(len(s.Get(t, "/v2/activities").Page(t).Data), 3)
		is.Equal(s.Get(t, "/v2/activities/"+records.Lines).Status, 404)
		is.Equal(s.Get(t, "/v2/quizzes/"+records.ShapesQuiz).Status, 200)
		is.True(!strings.Contains(s.Get(t, "/v2/quizzes/"+records.ShapesQuiz).Body, records.Look))
		is.Equal(s.Get(t, "/v2/analytics/courses?filter[course.id]="+records.Drawing).IDs(t), "")
		is.Equal(s.Get(t, "/v2/analytics/quiz_raw_answers?filter[course.id]="+records.Drawing).IDs(t), "")
		is.Equal(s.Numbers(t, "/v2/people?filter[uuid]="+records.Ada, "course_count"), "1")
		is.Equal(s.Get(t, "/v2/groups/"+records.Designers).Status, 200)

		for removing := true; removing; { // two courses are being removed
			var err error
			removing, err = s.App.CourseRemoval.DeleteNext(t.Context())
			is.NoErr(err)
		}
		is.Equal(s.Get(t, "/v2/submissions").IDs(t), "")
		queued, err := s.Queue.List(context.Background(), jobs.FileCleanupKind)
		is.NoErr(err)
		is.Equal(len(queued), 2) // jobs that delete the submitted files
		for range queued {
			found, err := s.Discards.DeleteNext(t.Context())
			is.NoErr(err)
			is.True(found)
		}
		_, err = s.Files.Open(t.Context(), usecase.FilesOf(s.Own)+records.AdasDrawing)
		is.True(err != nil)
		is.Equal(s.Send(t, "POST", "/v2/courses", `{"data":{"attributes":{"name":"Drawing"}}}`).Header.Get("Location"), records.Base+"/v2/courses/drawing")
	})
}
