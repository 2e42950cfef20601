package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/person"
)

// IDs of rows of course analytics.
const (
	rowNone   = ada + ":" + singing + ":00000000-0000-0000-0000-000000000000"
	rowAlan   = alan + ":" + singing + ":" + alansFirst
	rowFirst  = ada + ":" + drawing + ":" + adasFirst
	rowSecond = ada + ":" + drawing + ":" + adasSecond
)

// listed is the path of a list and its expected ids, separated by spaces.
type listed struct{ path, want string }

func (s *server) lists(t *testing.T, tests []listed) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.get(t, tt.path).ids(t), tt.want)
		})
	}
}

// activities checks the lists of activities, quizzes, assignments and enrollments.
func activities(t *testing.T, s *server) {
	const all = "/v2/activities"
	s.lists(t, []listed{
		{all, breathe + " " + look + " " + hum + " " + light + " " + lines + " " + listen + " " + still},
		{all + "?q=l&limit=2&page=2", listen},
		{all + "?q=SHADOW+light", light},
		{all + "?filter[title][eq]=Light+%26+shadow", light},
		{all + "?filter[title]=H", breathe + " " + hum + " " + light},
		{all + "?filter[id][in][]=" + hum + "&filter[id][in][]=" + theirActivity, hum},
		{all + "?filter[course.id][eq]=" + singing, breathe + " " + hum + " " + listen},
		{all + "?sort=-title&limit=1", still},
		{"/v2/courses/drawing/activities", look + " " + light + " " + lines + " " + still},
		{"/v2/courses/" + drawing + "/activities?q=l", light + " " + lines},
		{"/v2/courses/drawing/activities?filter[course.id][eq]=" + singing, ""},
		{"/v2/courses/" + strings.ToUpper(singing) + "/enrollments", adaInSinging + " " + alanInSinging},
		{"/v2/courses/drawing/enrollments", adaInDrawing + " " + alanInDrawing},
		{"/v2/courses/drawing/enrollments?q=passed+over", adaInDrawing + " " + alanInDrawing},
		{"/v2/courses/drawing/enrollments?filter[role]=manager", alanInDrawing},
		{"/v2/courses/drawing/enrollments?filter[progress][null]=true", alanInDrawing},
		{"/v2/courses/drawing/enrollments?filter[progress][eq]=0", adaInDrawing},
		{"/v2/courses/singing/enrollments?filter[progress][eq]=33.330", alanInSinging},
		{"/v2/courses/singing/enrollments?sort=-progress", alanInSinging + " " + adaInSinging},
		{"/v2/courses/singing/enrollments?filter[person.id][eq]=" + alan, alanInSinging},
		{"/v2/courses/singing/enrollments?filter[course.id][eq]=" + drawing, ""},
		{"/v2/courses/singing/enrollments?filter[uuid]=" + alanInSinging, alanInSinging},
		{"/v2/courses/singing/enrollments?filter[created_at][eq]=2025-11-08&filter[updated_at][lt]=2025-11-09&limit=1", adaInSinging},
		{"/v1/quizzes", chordsQuiz + " " + shapesQuiz},
		{"/v1/quizzes?q=FORMS", shapesQuiz},
		{"/v1/quizzes?filter[name]=chord", chordsQuiz},
		{"/v1/quizzes?filter[uuid][eq]=" + shapesQuiz, shapesQuiz},
		{"/v2/quizzes?sort=created_at", shapesQuiz + " " + chordsQuiz},
		{"/v2/quizzes?filter[created_at][gteq]=2025-11-04", chordsQuiz},
		{"/v1/assignments", stillLife + " " + essay},
		{"/v1/assignments?q=essay", essay},
		{"/v1/assignments?filter[title][end]=LIFE", stillLife},
		{"/v1/assignments?filter[uuid][not_eq]=" + essay, stillLife},
		{"/v2/assignments?sort=-created_at", essay + " " + stillLife},
		{"/v2/assignments?filter[created_at][lt]=2025-11-04", stillLife},
	})
	for _, ref := range []string{"Drawing", unknown, theirCourse, "theirs", "%00", "a%20b"} {
		for _, list := range []string{"activities", "enrollments"} {
			t.Run(ref+" has no "+list, func(t *testing.T) {
				is := is.New(t)
				is.Equal(s.get(t, "/v2/courses/"+ref+"/"+list).failures(t), []string{"404 " + missing})
			})
		}
	}
	for _, path := range []string{all, "/v1/quizzes", "/v2/quizzes", "/v2/submissions", "/v2/courses/drawing/enrollments"} {
		t.Run(path+" shows where each record is found", func(t *testing.T) {
			is := is.New(t)
			for _, r := range s.get(t, path).page(t).Data {
				self, ok := strings.CutPrefix(fmt.Sprint(r.Links["self"]), base)
				is.True(ok)
				is.Equal(s.get(t, self).id(t), r.ID)
			}
		})
	}
}

// learningLists checks the lists of progress, scores and answers.
func learningLists(t *testing.T, s *server) {
	const (
		rows    = "/v1/analytics/courses"
		scores  = "/v1/analytics/quiz_scores"
		answers = "/v1/analytics/quiz_raw_answers"
	)
	s.lists(t, []listed{
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
		{rows + "?filter[person.id][eq]=" + ada + "&filter[course.id][eq]=" + drawing, rowSecond + " " + rowFirst},
		{rows + "?filter[course_attempt.id][eq]=" + adasFirst, rowFirst},
		{rows + "?filter[course_attempt.id][not_eq]=" + adasFirst, rowAlan + " " + rowSecond},
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
		{scores + "?filter[course.id][eq]=" + singing, "2"},
		{scores + "?filter[person.id][eq]=" + ada, "1"},
		{scores + "?filter[quiz.id][eq]=" + shapesQuiz, "2 1"},
		{scores + "?filter[activity.id][eq]=" + listen, "2"},
		{scores + "?sort=percent_correct", "1 2"},
	}
	for _, tt := range numbered {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.get(t, tt.path).numberedIDs(t), tt.want)
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
		{answers + "?filter[person.id][eq]=" + alan, "A circle, A sphere"},
		{answers + "?filter[course.id][eq]=" + singing, "A circle, A sphere"},
		{answers + "?filter[quiz.id][not_eq]=" + shapesQuiz, ""},
		{answers + "?filter[activity.id][eq]=" + look + "&sort=response&limit=2", "3|4"},
	}
	for _, tt := range texts {
		t.Run(tt.path, func(t *testing.T) {
			is := is.New(t)
			var got []string
			for _, r := range s.get(t, tt.path).page(t).Data {
				got = append(got, fmt.Sprint(r.Attributes["response"]))
				is.Equal(s.get(t, answers+"?filter[uuid][eq]="+r.ID).ids(t), r.ID)
			}
			is.Equal(strings.Join(got, "|"), tt.want)
		})
	}

	t.Run("new data appears immediately", func(t *testing.T) {
		is := is.New(t)
		who, does := app.SystemActor(s.own), person.ID{UUID: uuid.MustParse(alan)}
		for _, a := range []string{listen, hum, hum} {
			s.clock.Advance(1e9)
			_, _, err := s.learning.CompleteActivity(t.Context(), who, does, activity.ID{UUID: uuid.MustParse(a)})
			is.NoErr(err)
		}
		is.Equal(s.numbers(t, rows+"?filter[person.id]="+alan, "progress"), "100")
		is.Equal(s.numbers(t, "/v2/courses/singing/enrollments?filter[person.id]="+alan, "progress"), "100")
	})
	t.Run("an unenrolled person has no row until enrolled again", func(t *testing.T) {
		is := is.New(t)
		path, body := "/v1/people/"+ada+"/relationships/courses", data(element("enrolled-courses", drawing))
		is.Equal(s.send(t, "DELETE", path, body).status, 204)
		is.Equal(s.get(t, rows+"?filter[course.id]="+drawing).ids(t), "")
		is.Equal(s.get(t, scores+"?filter[course.id]="+drawing).numberedIDs(t), "1")
		is.Equal(len(s.get(t, answers+"?filter[course.id]="+drawing).page(t).Data), 5)
		is.Equal(len(s.get(t, "/v2/submissions").page(t).Data), 2)
		is.Equal(s.get(t, "/v2/enrollments/"+adaInDrawing).status, 404)
		is.Equal(s.send(t, "POST", path, body).status, 204)
		is.Equal(s.get(t, rows+"?filter[course.id]="+drawing).ids(t), rowSecond+" "+rowFirst)
		is.Equal(s.get(t, rows+"?filter[course.id]="+drawing+"&filter[enrolled_at][lt]=2026-01-01").ids(t), "")
	})
}

// numberedIDs is like ids, but for lists whose ids are numbers.
func (a response) numberedIDs(t *testing.T) string {
	t.Helper()
	var list struct{ Data []struct{ ID int64 } }
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || a.status != http.StatusOK {
		t.Fatalf("no list: %d %s", a.status, a.body)
	}
	ids := make([]string, len(list.Data))
	for i, r := range list.Data {
		ids[i] = strconv.FormatInt(r.ID, 10)
	}
	return strings.Join(ids, " ")
}
