package learning

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/person"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// IDs of rows of course analytics.
const (
	rowNone   = records.Ada + ":" + records.Singing + ":00000000-0000-0000-0000-000000000000"
	rowAlan   = records.Alan + ":" + records.Singing + ":" + records.AlansFirst
	rowFirst  = records.Ada + ":" + records.Drawing + ":" + records.AdasFirst
	rowSecond = records.Ada + ":" + records.Drawing + ":" + records.AdasSecond
)

// listed is the path of a list and its expected ids, separated by spaces.
type listed struct{ path, want string }

func checkLists(t *testing.T, s *fixture.Server, tests []listed) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Get(t, tt.path).IDs(t), tt.want)
		})
	}
}

// Activities checks the lists of activities, quizzes, assignments and enrollments.
func Activities(t *testing.T, s *fixture.Server) {
	const all = "/v2/activities"
	checkLists(t, s, []listed{
		{all, records.Breathe + " " + records.Look + " " + records.Hum + " " + records.Light + " " + records.Lines + " " + records.Listen + " " + records.Still},
		{all + "?q=l&limit=2&page=2", records.Listen},
		{all + "?q=SHADOW+light", records.Light},
		{all + "?filter[title][eq]=Light+%26+shadow", records.Light},
		{all + "?filter[title]=H", records.Breathe + " " + records.Hum + " " + records.Light},
		{all + "?filter[id][in][]=" + records.Hum + "&filter[id][in][]=" + records.TheirActivity, records.Hum},
		{all + "?filter[course.id][eq]=" + records.Singing, records.Breathe + " " + records.Hum + " " + records.Listen},
		{all + "?sort=-title&limit=1", records.Still},
		{"/v2/courses/drawing/activities", records.Look + " " + records.Light + " " + records.Lines + " " + records.Still},
		{"/v2/courses/" + records.Drawing + "/activities?q=l", records.Light + " " + records.Lines},
		{"/v2/courses/drawing/activities?filter[course.id][eq]=" + records.Singing, ""},
		{"/v2/courses/" + strings.ToUpper(records.Singing) + "/enrollments", records.AdaInSinging + " " + records.AlanInSinging},
		{"/v2/courses/drawing/enrollments", records.AdaInDrawing + " " + records.AlanInDrawing},
		{"/v2/courses/drawing/enrollments?q=passed+over", records.AdaInDrawing + " " + records.AlanInDrawing},
		{"/v2/courses/drawing/enrollments?filter[role]=manager", records.AlanInDrawing},
		{"/v2/courses/drawing/enrollments?filter[progress][null]=true", records.AlanInDrawing},
		{"/v2/courses/drawing/enrollments?filter[progress][eq]=0", records.AdaInDrawing},
		{"/v2/courses/singing/enrollments?filter[progress][eq]=33.330", records.AlanInSinging},
		{"/v2/courses/singing/enrollments?sort=-progress", records.AlanInSinging + " " + records.AdaInSinging},
		{"/v2/courses/singing/enrollments?filter[person.id][eq]=" + records.Alan, records.AlanInSinging},
		{"/v2/courses/singing/enrollments?filter[course.id][eq]=" + records.Drawing, ""},
		{"/v2/courses/singing/enrollments?filter[uuid]=" + records.AlanInSinging, records.AlanInSinging},
		{"/v2/courses/singing/enrollments?filter[created_at][eq]=2025-11-08&filter[updated_at][lt]=2025-11-09&limit=1", records.AdaInSinging},
		{"/v1/quizzes", records.ChordsQuiz + " " + records.ShapesQuiz},
		{"/v1/quizzes?q=FORMS", records.ShapesQuiz},
		{"/v1/quizzes?filter[name]=chord", records.ChordsQuiz},
		{"/v1/quizzes?filter[uuid][eq]=" + records.ShapesQuiz, records.ShapesQuiz},
		{"/v2/quizzes?sort=created_at", records.ShapesQuiz + " " + records.ChordsQuiz},
		{"/v2/quizzes?filter[created_at][gteq]=2025-11-04", records.ChordsQuiz},
		{"/v1/assignments", records.StillLife + " " + records.Essay},
		{"/v1/assignments?q=essay", records.Essay},
		{"/v1/assignments?filter[title][end]=LIFE", records.StillLife},
		{"/v1/assignments?filter[uuid][not_eq]=" + records.Essay, records.StillLife},
		{"/v2/assignments?sort=-created_at", records.Essay + " " + records.StillLife},
		{"/v2/assignments?filter[created_at][lt]=2025-11-04", records.StillLife},
	})
	for _, ref := range []string{"Drawing", records.Unknown, records.TheirCourse, "theirs", "%00", "a%20b"} {
		for _, list := range []string{"activities", "enrollments"} {
			t.Run(ref+" has no "+list, func(t *testing.T) {
				is := is.New(t)
				is.Equal(s.Get(t, "/v2/courses/"+ref+"/"+list).Failures(t), []string{"404 " + fixture.Missing})
			})
		}
	}
	for _, path := range []string{all, "/v1/quizzes", "/v2/quizzes", "/v2/submissions", "/v2/courses/drawing/enrollments"} {
		t.Run(path+" shows where each record is found", func(t *testing.T) {
			is := is.New(t)
			for _, r := range s.Get(t, path).Page(t).Data {
				self, ok := strings.CutPrefix(fmt.Sprint(r.Links["self"]), records.Base)
				is.True(ok)
				is.Equal(s.Get(t, self).ID(t), r.ID)
			}
		})
	}
}

// LearningLists checks the lists of progress, scores and answers.
func LearningLists(t *testing.T, s *fixture.Server) {
	const (
		rows    = "/v1/analytics/courses"
		scores  = "/v1/analytics/quiz_scores"
		answers = "/v1/analytics/quiz_raw_answers"
	)
	checkLists(t, s, []listed{
		{rows, rowNone + " " + rowAlan + " " + rowSecond + " " + rowFirst},
		{rows + "?q=turing", rowAlan},
		{rows + "?q=ADA+sing", rowNone},
		{rows + "?q=example.test+drawing", rowSecond + " " + rowFirst},
		{rows + "?q=100", ""},
		{rows + "?filter[uuid][eq]=" + rowNone, rowNone},
		{rows + "?filter[id][in][]=" + rowAlan + "&filter[id][in][]=" + rowFirst, rowAlan + " " + rowFirst},
		{rows + "?filter[progress][eq]=33.33", rowAlan},
		{rows + "?filter[progress][gteq]=100", rowFirst},
		{rows + "?filter[last_activity_completed_at][null]=false", rowAlan + " " + rowFirst},
		{rows + "?filter[last_activity_completed_at][eq]=2025-11-15T10:15:00.040Z", rowFirst},
		{rows + "?filter[enrolled_at][eq]=2025-11-08", rowNone + " " + rowAlan},
		{rows + "?filter[person.id][eq]=" + records.Ada + "&filter[course.id][eq]=" + records.Drawing, rowSecond + " " + rowFirst},
		{rows + "?filter[course_attempt.id][eq]=" + records.AdasFirst, rowFirst},
		{rows + "?filter[course_attempt.id][not_eq]=" + records.AdasFirst, rowAlan + " " + rowSecond},
		{rows + "?sort=-progress,uuid", rowFirst + " " + rowAlan + " " + rowSecond + " " + rowNone},
		{rows + "?sort=last_activity_completed_at&limit=2", rowFirst + " " + rowAlan},
		{"/v2/analytics/courses?limit=1&page=3", rowSecond},
	})
	numbered := []struct{ path, want string }{
		{scores, "2 1"},
		{scores + "?q=forms", "2 1"},
		{scores + "?q=see", "1"},
		{scores + "?q=alan+listen", "2"},
		{scores + "?q=singing", "2"},
		{scores + "?q=ada@example", "1"},
		{scores + "?filter[uuid][eq]=1", "1"},
		{scores + "?filter[id][gt]=1", "2"},
		{scores + "?filter[course_attempt_number][eq]=1", "2 1"},
		{scores + "?filter[last_question_answered_at][lt]=2025-11-15", "1"},
		{scores + "?filter[percent_correct][eq]=50.0", "1"},
		{scores + "?filter[progress][eq]=66.67", "1"},
		{scores + "?filter[questions_completed][eq]=1/3", "2"},
		{scores + "?filter[course.id][eq]=" + records.Singing, "2"},
		{scores + "?filter[person.id][eq]=" + records.Ada, "1"},
		{scores + "?filter[quiz.id][eq]=" + records.ShapesQuiz, "2 1"},
		{scores + "?filter[activity.id][eq]=" + records.Listen, "2"},
		{scores + "?sort=percent_correct", "1 2"},
	}
	for _, tt := range numbered {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.Get(t, tt.path).NumberedIDs(t), tt.want)
		})
	}
	texts := []struct{ path, want string }{
		{answers, "A circle, A sphere|A cube|4|No|A circle, A sphere|3"},
		{answers + "?q=lovelace+forms&limit=2", "A cube|4"},
		{answers + "?q=listen", "A circle, A sphere"},
		{answers + "?q=circle", ""},
		{answers + "?filter[activity_title]=see&filter[marked_correct]=true", "4|A circle, A sphere"},
		{answers + "?filter[course_attempt_number][gt]=1", ""},
		{answers + "?filter[course_name][eq]=Singing", "A circle, A sphere"},
		{answers + "?filter[date_answered][eq]=2025-11-13&filter[marked_correct]=F", "No|3"},
		{answers + "?filter[question_number][eq]=3/3", "No"},
		{answers + "?filter[question_text][start]=how", "4|3"},
		{answers + "?filter[quiz_name][not_cont]=shapes", ""},
		{answers + "?filter[response][cont]=SPHERE", "A circle, A sphere|A circle, A sphere"},
		{answers + "?filter[person.id][eq]=" + records.Alan, "A circle, A sphere"},
		{answers + "?filter[course.id][eq]=" + records.Singing, "A circle, A sphere"},
		{answers + "?filter[quiz.id][not_eq]=" + records.ShapesQuiz, ""},
		{answers + "?filter[activity.id][eq]=" + records.Look + "&sort=response&limit=2", "3|4"},
	}
	for _, tt := range texts {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			var got []string
			for _, r := range s.Get(t, tt.path).Page(t).Data {
				got = append(got, fmt.Sprint(r.Attributes["response"]))
				is.Equal(s.Get(t, answers+"?filter[uuid][eq]="+r.ID).IDs(t), r.ID)
			}
			is.Equal(strings.Join(got, "|"), tt.want)
		})
	}

	t.Run("new data appears immediately", func(t *testing.T) {
		is := is.New(t)
		who, does := app.SystemActor(s.Own), person.ID{UUID: uuid.MustParse(records.Alan)}
		for _, a := range []string{records.Listen, records.Hum, records.Hum} {
			s.Clock.Advance(1e9)
			_, _, err := s.Learning.CompleteActivity(t.Context(), who, does, activity.ID{UUID: uuid.MustParse(a)})
			is.NoErr(err)
		}
		is.Equal(s.Numbers(t, rows+"?filter[person.id]="+records.Alan, "progress"), "100")
		is.Equal(s.Numbers(t, "/v2/courses/singing/enrollments?filter[person.id]="+records.Alan, "progress"), "100")
	})
	t.Run("an unenrolled person has no row until enrolled again", func(t *testing.T) {
		is := is.New(t)
		path, body := "/v1/people/"+records.Ada+"/relationships/courses", bodies.Data(bodies.Element("enrolled-courses", records.Drawing))
		is.Equal(s.Send(t, "DELETE", path, body).Status, 204)
		is.Equal(s.Get(t, rows+"?filter[course.id]="+records.Drawing).IDs(t), "")
		is.Equal(s.Get(t, scores+"?filter[course.id]="+records.Drawing).NumberedIDs(t), "1")
		is.Equal(len(s.Get(t, answers+"?filter[course.id]="+records.Drawing).Page(t).Data), 5)
		is.Equal(len(s.Get(t, "/v2/submissions").Page(t).Data), 2)
		is.Equal(s.Get(t, "/v2/enrollments/"+records.AdaInDrawing).Status, 404)
		is.Equal(s.Send(t, "POST", path, body).Status, 204)
		is.Equal(s.Get(t, rows+"?filter[course.id]="+records.Drawing).IDs(t), rowSecond+" "+rowFirst)
		is.Equal(s.Get(t, rows+"?filter[course.id]="+records.Drawing+"&filter[enrolled_at][lt]=2026-01-01").IDs(t), "")
	})
}
