package apitest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
)

const structurePath = "/v2/courses/drawing/structure"

// changedStructure is a structure of drawing without the activities lines and light, which people
// have started.
const changedStructure = `{"data":{"type":"course_structures","attributes":{"activities":[
	{"key":"your-drawing","title":"Your drawing","kind":"assignment","assignment":{"title":"Two still lives"}},
	{"key":"clip","title":"A clip","kind":"video","duration":61,"video_url":"https://media.example.test/clip.mp4","text":"# Look\n\n<b>Twice</b> & *again*"},
	{"key":"do-you-see-it","title":"Do you see it?","kind":"quiz","quiz":{"id":"` + shapesQuiz + `"}},
	{"key":"again","title":"Once more","kind":"quiz","quiz":{"name":"Colors","questions":[
		{"key":"red","text":"Is red warm?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}]}}
]}}}`

// invalidStructure contains every kind of fault that a structure can have.
var invalidStructure = `{"data":{"attributes":{"activities":[
	{"key":"a","title":"","kind":"text","duration":1},
	{"key":"a","title":7,"kind":"film"},
	{"key":"No","title":"B","kind":"video"},
	{"key":"c","title":"C","kind":"quiz","quiz":{"name":"Q","questions":[
		{"key":"x","text":"?","choices":[{"text":"Yes","correct":true},{"text":" "},{"text":"yes"}]},
		{"key":"x","text":"Why?","choices":[{"text":"Yes"},{"text":"No","correct":"no"}]}]}},
	{"key":"d","title":"D","kind":"assignment","assignment":{"id":"` + essay + `x"}},
	{"key":"your-drawing","title":"E","kind":"text"},
	"f",
	{"key":"g","title":"G","kind":"text","text":7,"video_url":"https://media.example.test/a.mp4"},
	{"key":"h","title":"H","kind":"video","duration":1,"text":"\u0000","video_url":"http://media.example.test/a.mp4"},
	{"key":"i","title":"I","kind":"video","duration":1,"text":"` + longText + `x","video_url":"/a.mp4"}
]}}}`

// longText is the longest text of an activity.
var longText = strings.Repeat("x", activity.MaxText)

// structures checks getting and replacing the structure of a course.
func structures(t *testing.T, s *server) {
	t.Run("PUT of the GET document changes nothing", func(t *testing.T) {
		is := is.New(t)
		shown, quizzes := s.get(t, structurePath), s.get(t, "/v1/quizzes").body
		kept := s.send(t, "PUT", structurePath, shown.body)
		is.Equal(kept.status, 200)
		is.Equal(kept.header.Get("ETag"), shown.header.Get("ETag"))
		is.True(strings.Contains(kept.body, `"created":[],"restored":[],"changed":[],"archived":[],"deleted":[],"unchanged":4`))
		is.Equal(s.get(t, structurePath).body, shown.body)
		is.Equal(s.get(t, "/v1/quizzes").body, quizzes)
		is.Equal(s.send(t, "PUT", structurePath, kept.body).status, 200) // PUT also accepts the document of the response
	})

	t.Run("a dry run reports the same and saves nothing", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, structurePath)
		dry := s.send(t, "PUT", structurePath+"?dryRun=true", changedStructure)
		is.Equal(dry.status, 200)
		is.Equal(dry.header.Get("ETag"), before.header.Get("ETag"))
		is.Equal(s.get(t, structurePath).body, before.body)
		is.Equal(s.send(t, "PUT", structurePath+"?dryRun=perhaps", changedStructure).failures(t),
			[]string{"400 dryRun must be true or false"})
	})

	t.Run("a change appears everywhere, and learner data is kept", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, structurePath)
		answers := s.get(t, "/v1/analytics/quiz_raw_answers").body
		changed := s.send(t, "PUT", structurePath, changedStructure)
		is.Equal(changed.status, 200)
		report := reported(t, changed)
		is.Equal(report.Created, []string{"clip", "again"})
		is.Equal(report.Archived, []string{"lines", "light-shadow"})
		is.Equal(report.Changed, []string{"your-drawing: position assignment"})
		is.Equal(report.Unchanged, 1)
		is.Equal(s.get(t, "/v1/analytics/quiz_raw_answers").body, answers)
		is.Equal(s.get(t, "/v2/activities/"+light).status, 200)
		for _, path := range []string{"/v2/activities?filter[uuid][eq]=" + light, "/v2/courses/drawing/activities?q=light"} {
			is.Equal(s.get(t, path).ids(t), "")
		}
		is.Equal(len(s.get(t, "/v2/courses/drawing/activities").page(t).Data), 4)
		is.True(strings.Contains(s.get(t, "/v1/assignments").body, "Two still lives"))

		// Put the original structure, which restores the archived activities.
		back := reported(t, s.send(t, "PUT", structurePath, before.body))
		is.Equal(back.Restored, []string{"lines", "light-shadow"})
		is.Equal(back.Deleted, []string{"clip", "again"})
		is.Equal(activitiesOf(t, s.get(t, structurePath)), activitiesOf(t, before))
		is.Equal(s.get(t, "/v1/analytics/quiz_raw_answers").body, answers)
	})

	t.Run("texts and addresses stay if a document leaves them out", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, structurePath)
		put := func(text string) report {
			return reported(t, s.send(t, "PUT", structurePath, `{"data":{"attributes":{"activities":[`+
				`{"key":"film","title":"Film","kind":"video","duration":9`+text+`}]}}}`))
		}
		is.Equal(put(`,"text":"`+longText+`","video_url":"https://media.example.test/a.mp4"`).Created, []string{"film"})
		is.True(strings.Contains(s.get(t, structurePath).body, longText))
		is.Equal(put("").Unchanged, 1)
		is.Equal(put(`,"text":null`).Unchanged, 1)
		is.Equal(put(`,"text":""`).Changed, []string{"film: text"})
		is.Equal(put(`,"video_url":""`).Changed, []string{"film: video_url"})
		is.Equal(reported(t, s.send(t, "PUT", structurePath, before.body)).Deleted, []string{"film"})
	})

	t.Run("all faults are reported together, and nothing changes", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, structurePath).body
		failures := s.send(t, "PUT", structurePath, invalidStructure).failures(t)
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
		is.Equal(s.get(t, structurePath).body, before)
	})

	t.Run("too many tiny elements are rejected early", func(t *testing.T) {
		is := is.New(t)
		body := func(n int) string {
			return `{"data":{"attributes":{"activities":[` + strings.Repeat("{},", n-1) + `{}]}}}`
		}
		is.Equal(s.send(t, "PUT", structurePath, body(1001)).failures(t),
			[]string{"422 /data/attributes/activities has too many elements (maximum is 1000)"})
		is.Equal(s.send(t, "PUT", structurePath, body(1<<20)).failures(t), []string{"400 The body contains more than 1048576 values"})
	})

	t.Run("a large quiz cannot be used by many activities", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, structurePath)
		question := `{"key":"%d","text":"` + strings.Repeat("é", 2000) + `","choices":[{"text":"Yes","correct":true},{"text":"No"}]}`
		var questions, activities []string
		for i := range 500 {
			questions = append(questions, fmt.Sprintf(question, i))
		}
		for i := range 5 { // all activities use the same quiz, which the first one defines below
			activities = append(activities, fmt.Sprintf(`{"key":"a%d","title":"A","kind":"quiz","quiz":{"id":"%s"}}`, i, shapesQuiz))
		}
		activities[0] = fmt.Sprintf(`{"key":"a0","title":"A","kind":"quiz","quiz":{"id":"%s","name":"Large","questions":[%s]}}`,
			shapesQuiz, strings.Join(questions, ","))
		is.Equal(s.send(t, "PUT", structurePath, `{"data":{"attributes":{"activities":[`+strings.Join(activities, ",")+`]}}}`).failures(t),
			[]string{"422 /data/attributes/activities must contain at most 8388608 bytes of texts and quizzes (a quiz counts once for each activity that uses it)"})
		is.Equal(s.get(t, structurePath).body, before.body)
	})

	t.Run("a wrong course or an outdated structure is rejected", func(t *testing.T) {
		is := is.New(t)
		shown := s.get(t, structurePath)
		is.Equal(s.send(t, "PUT", structurePath, `{"data":{"type":"courses","attributes":{"activities":[]}}}`).failures(t),
			[]string{"409 /data/type must be course_structures"})
		is.Equal(s.send(t, "PUT", structurePath, `{"data":{"id":"`+singing+`","attributes":{"activities":[]}}}`).failures(t),
			[]string{"409 /data/id must match the id in the path"})
		is.Equal(s.send(t, "PUT", structurePath, `{"data":{}}`).failures(t),
			[]string{"422 /data/attributes/activities can't be blank"})
		is.Equal(s.request("PUT", structurePath).with(changedStructure).set("If-Match", `W/"0"`).send(t).failures(t),
			[]string{"412 The resource has changed since it was fetched"})
		is.Equal(s.get(t, structurePath).body, shown.body)
		changed := s.request("PUT", structurePath).with(changedStructure).set("If-Match", shown.header.Get("ETag")).send(t)
		is.Equal(changed.status, 200)
		is.Equal(changed.header.Get("ETag"), s.get(t, structurePath).header.Get("ETag"))
		is.Equal(s.get(t, "/v2/courses/"+url.PathEscape("no-such-course")+"/structure").status, 404)
	})
}

// report is the report in the response to a changed structure. Its lists contain the keys of
// activities. In Changed, the names of the changed attributes follow each key.
type report struct {
	Created, Restored, Archived, Deleted, Changed []string
	Unchanged                                     int
}

func reported(t *testing.T, a response) report {
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
	if err := json.Unmarshal([]byte(a.body), &document); err != nil || a.status != 200 {
		t.Fatalf("no structure: %d %s", a.status, a.body)
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
func activitiesOf(t *testing.T, a response) string {
	t.Helper()
	var document struct {
		Data struct {
			Attributes struct{ Activities json.RawMessage }
		}
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil {
		t.Fatal(err)
	}
	return string(document.Data.Attributes.Activities)
}
