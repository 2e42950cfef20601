package catalog

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// Structures checks getting and replacing the structure of a course.
func Structures(t *testing.T, s *fixture.Server) {
	t.Run("PUT of the GET document changes nothing", func(t *testing.T) {
		is := is.New(t)
		shown, quizzes := s.Get(t, routes.StructurePath), s.Get(t, "/v1/quizzes").Body
		kept := s.Send(t, "PUT", routes.StructurePath, shown.Body)
		is.Equal(kept.Status, 200)
		is.Equal(kept.Header.Get("ETag"), shown.Header.Get("ETag"))
		is.True(strings.Contains(kept.Body, `"created":[],"restored":[],"changed":[],"archived":[],"deleted":[],"unchanged":4`))
		is.Equal(s.Get(t, routes.StructurePath).Body, shown.Body)
		is.Equal(s.Get(t, "/v1/quizzes").Body, quizzes)
		is.Equal(s.Send(t, "PUT", routes.StructurePath, kept.Body).Status, 200) // PUT also accepts the document of the response
	})

	t.Run("a dry run reports the same and saves nothing", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, routes.StructurePath)
		dry := s.Send(t, "PUT", routes.StructurePath+"?dryRun=true", bodies.ChangedStructure)
		is.Equal(dry.Status, 200)
		is.Equal(dry.Header.Get("ETag"), before.Header.Get("ETag"))
		is.Equal(s.Get(t, routes.StructurePath).Body, before.Body)
		is.Equal(s.Send(t, "PUT", routes.StructurePath+"?dryRun=perhaps", bodies.ChangedStructure).Failures(t),
			[]string{"400 dryRun must be true or false"})
	})

	t.Run("a change appears everywhere, and learner data is kept", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, routes.StructurePath)
		answers := s.Get(t, "/v1/analytics/quiz_raw_answers").Body
		changed := s.Send(t, "PUT", routes.StructurePath, bodies.ChangedStructure)
		is.Equal(changed.Status, 200)
		report := reported(t, changed)
		is.Equal(report.Created, []string{"clip", "again"})
		is.Equal(report.Archived, []string{"lines", "light-shadow"})
		is.Equal(report.Changed, []string{"your-drawing: position assignment"})
		is.Equal(report.Unchanged, 1)
		is.Equal(s.Get(t, "/v1/analytics/quiz_raw_answers").Body, answers)
		is.Equal(s.Get(t, "/v2/activities/"+records.Light).Status, 200)
		for _, path := range []string{"/v2/activities?filter[uuid][eq]=" + records.Light, "/v2/courses/drawing/activities?q=light"} {
			is.Equal(s.Get(t, path).IDs(t), "")
		}
		is.Equal(len(s.Get(t, "/v2/courses/drawing/activities").Page(t).Data), 4)
		is.True(strings.Contains(s.Get(t, "/v1/assignments").Body, "Two still lives"))

		// Put the original structure, which restores the archived activities.
		back := reported(t, s.Send(t, "PUT", routes.StructurePath, before.Body))
		is.Equal(back.Restored, []string{"lines", "light-shadow"})
		is.Equal(back.Deleted, []string{"clip", "again"})
		is.Equal(activitiesOf(t, s.Get(t, routes.StructurePath)), activitiesOf(t, before))
		is.Equal(s.Get(t, "/v1/analytics/quiz_raw_answers").Body, answers)
	})

	t.Run("texts and addresses stay if a document leaves them out", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, routes.StructurePath)
		put := func(text string) report {
			return reported(t, s.Send(t, "PUT", routes.StructurePath, `{"data":{"attributes":{"activities":[`+
				`{"key":"film","title":"Film","kind":"video","duration":9`+text+`}]}}}`))
		}
		is.Equal(put(`,"text":"`+bodies.LongText+`","video_url":"https://media.example.test/a.mp4"`).Created, []string{"film"})
		is.True(strings.Contains(s.Get(t, routes.StructurePath).Body, bodies.LongText))
		is.Equal(put("").Unchanged, 1)
		is.Equal(put(`,"text":null`).Unchanged, 1)
		is.Equal(put(`,"text":""`).Changed, []string{"film: text"})
		is.Equal(put(`,"video_url":""`).Changed, []string{"film: video_url"})
		is.Equal(reported(t, s.Send(t, "PUT", routes.StructurePath, before.Body)).Deleted, []string{"film"})
	})

	t.Run("all faults are reported together, and nothing changes", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, routes.StructurePath).Body
		failures := s.Send(t, "PUT", routes.StructurePath, bodies.InvalidStructure).Failures(t)
		for _, want := range []string{
			"/0/title can't be blank", "/0/duration is allowed only for the kind video", "/1/title must be a string",
			"/1/key is used more than once: a", "/1/kind must be one of: text, video, quiz, assignment",
			"/2/key must consist of lowercase letters, digits and single hyphens", "/2/duration can't be blank",
			"/3/quiz/questions/0/choices/1/text can't be blank", "/3/quiz/questions/0/choices/2/text is used more than once",
			"/3/quiz/questions/1/key is used more than once", "/3/quiz/questions/1/choices/1/correct must be true or false",
			"/3/quiz/questions/1/choices must include at least one correct choice", "/4/assignment/id is not a valid UUID",
			"/5/kind cannot be changed: learners have started the activity", "/6 must be an object",
			"/7/text must be a string", "/7/video_url is allowed only for the kind video", "/8/text contains a control character",
			"/8/video_url must be an absolute https URL", "/9/text is too long (maximum is 65536 bytes)",
			"/9/video_url must be an absolute http or https URL",
		} {
			is.True(strings.Contains(strings.Join(failures, "\n"), "422 /data/attributes/activities"+want))
		}
		is.Equal(s.Get(t, routes.StructurePath).Body, before)
	})

	t.Run("too many tiny elements are rejected early", func(t *testing.T) {
		is := is.New(t)
		body := func(n int) string {
			return `{"data":{"attributes":{"activities":[` + strings.Repeat("{},", n-1) + `{}]}}}`
		}
		is.Equal(s.Send(t, "PUT", routes.StructurePath, body(1001)).Failures(t),
			[]string{"422 /data/attributes/activities has too many elements (maximum is 1000)"})
		is.Equal(s.Send(t, "PUT", routes.StructurePath, body(1<<20)).Failures(t), []string{"400 The body contains more than 1048576 values"})
	})

	t.Run("a large quiz cannot be used by many activities", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, routes.StructurePath)
		question := `{"key":"%d","text":"` + strings.Repeat("é", 2000) + `","choices":[{"text":"Yes","correct":true},{"text":"No"}]}`
		var questions, activities []string
		for i := range 500 {
			questions = append(questions, fmt.Sprintf(question, i))
		}
		for i := range 5 { // all activities use the same quiz, which the first one defines below
			activities = append(activities, fmt.Sprintf(`{"key":"a%d","title":"A","kind":"quiz","quiz":{"id":"%s"}}`, i, records.ShapesQuiz))
		}
		activities[0] = fmt.Sprintf(`{"key":"a0","title":"A","kind":"quiz","quiz":{"id":"%s","name":"Large","questions":[%s]}}`,
			records.ShapesQuiz, strings.Join(questions, ","))
		is.Equal(s.Send(t, "PUT", routes.StructurePath, `{"data":{"attributes":{"activities":[`+strings.Join(activities, ",")+`]}}}`).Failures(t),
			[]string{"422 /data/attributes/activities must contain at most 8388608 bytes of texts and quizzes (a quiz counts once for each activity that uses it)"})
		is.Equal(s.Get(t, routes.StructurePath).Body, before.Body)
	})

	t.Run("a wrong course or an outdated structure is rejected", func(t *testing.T) {
		is := is.New(t)
		shown := s.Get(t, routes.StructurePath)
		is.Equal(s.Send(t, "PUT", routes.StructurePath, `{"data":{"type":"courses","attributes":{"activities":[]}}}`).Failures(t),
			[]string{"409 /data/type must be course_structures"})
		is.Equal(s.Send(t, "PUT", routes.StructurePath, `{"data":{"id":"`+records.Singing+`","attributes":{"activities":[]}}}`).Failures(t),
			[]string{"409 /data/id must match the id in the path"})
		is.Equal(s.Send(t, "PUT", routes.StructurePath, `{"data":{}}`).Failures(t),
			[]string{"422 /data/attributes/activities can't be blank"})
		is.Equal(s.Request("PUT", routes.StructurePath).With(bodies.ChangedStructure).Set("If-Match", `W/"0"`).Send(t).Failures(t),
			[]string{"412 The resource has changed since it was fetched"})
		is.Equal(s.Get(t, routes.StructurePath).Body, shown.Body)
		changed := s.Request("PUT", routes.StructurePath).With(bodies.ChangedStructure).Set("If-Match", shown.Header.Get("ETag")).Send(t)
		is.Equal(changed.Status, 200)
		is.Equal(changed.Header.Get("ETag"), s.Get(t, routes.StructurePath).Header.Get("ETag"))
		is.Equal(s.Get(t, "/v2/courses/"+url.PathEscape("no-such-course")+"/structure").Status, 404)
	})
}

// report is the report in the response to a changed structure. Its lists contain the keys of
// activities. In Changed, the names of the changed attributes follow each key.
type report struct {
	Created, Restored, Archived, Deleted, Changed []string
	Unchanged                                     int
}

func reported(t *testing.T, a fixture.Response) report {
	t.Helper()
	type entry struct {
		Key        string
		Attributes []string
	}
	var document struct {
		Data struct {
			Attributes struct {
				Created, Restored, Archived, Deleted, Changed []entry
				Unchanged                                     int
			}
		}
	}
	if err := json.Unmarshal([]byte(a.Body), &document); err != nil || a.Status != 200 {
		t.Fatalf("no structure: %d %s", a.Status, a.Body)
	}
	keys := func(entries []entry) []string {
		var keys []string
		for _, e := range entries {
			key := e.Key
			if e.Attributes != nil {
				key += ": " + strings.Join(e.Attributes, " ")
			}
			keys = append(keys, key)
		}
		return keys
	}
	of := document.Data.Attributes
	return report{
		Created: keys(of.Created), Restored: keys(of.Restored), Archived: keys(of.Archived),
		Deleted: keys(of.Deleted), Changed: keys(of.Changed), Unchanged: of.Unchanged,
	}
}

// activitiesOf returns the activities in a document of a structure.
func activitiesOf(t *testing.T, a fixture.Response) string {
	t.Helper()
	var document struct {
		Data struct {
			Attributes struct{ Activities json.RawMessage }
		}
	}
	if err := json.Unmarshal([]byte(a.Body), &document); err != nil {
		t.Fatal(err)
	}
	return string(document.Data.Attributes.Activities)
}
