package journey_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
)

const (
	viewed    = "learner_viewed_activity_events"
	watched   = "learner_viewed_video_activity_events"
	quizTitle = "Try yourself"
	quizName  = "Know your joints"
)

// Indexes of the activities in the course with all kinds.
const (
	videoAt = 1
	quizAt  = 2
	workAt  = 3
)

// course contains what the test knows about a course.
type course struct {
	id, name, quiz, assignment string
	activities                 []string
	questions                  []question
}

type question struct {
	id, text, right, wrong string
	number                 int
}

const craftPlan = `[
	{"key":"wood","title":"Wood moves","kind":"text"},
	{"key":"tenon","title":"Cutting a tenon","kind":"video","duration":540},
	{"key":"try","title":"` + quizTitle + `","kind":"quiz","quiz":{"name":"` + quizName + `","questions":[
		{"key":"glue","text":"Which joint needs no glue?","choices":[{"text":"A wedged tenon","correct":true},{"text":"A butt joint"}]},
		{"key":"saw","text":"Which is a saw?","choices":[{"text":"Kanna"},{"text":"Ryoba","correct":true}]},
		{"key":"grain","text":"Does wood grow along the grain?","choices":[{"text":"Yes"},{"text":"No","correct":true}]}]}},
	{"key":"box","title":"Your first box","kind":"assignment","assignment":{"title":"A box with a lid"}},
	{"key":"oil","title":"Oil and wax","kind":"text"},
	{"key":"end","title":"What comes next","kind":"text"}]`

const dyesPlan = `[{"key":"madder","title":"Madder","kind":"text"},{"key":"woad","title":"Woad","kind":"text"},
	{"key":"weld","title":"Weld","kind":"text"}]`

// addCourses creates the courses with a category and an instructor.
func (s *journey) addCourses(t *testing.T) {
	is := is.New(t)
	category := s.post(t, "/v2/categories", `{"data":{"type":"categories","attributes":{"name":"By hand"}}}`).id()
	part := s.post(t, "/v2/partnerships", `{"data":{"type":"partnerships","attributes":{"role":"instructor"},"relationships":{`+
		related("person", "people", s.people[0])+`}}}`).id()
	for _, c := range []struct{ name, plan string }{{"First Joints", craftPlan}, {"Natural Dyes", dyesPlan}} {
		made := s.post(t, "/v2/courses", `{"data":{"type":"courses","attributes":{"name":"`+c.name+`"},"relationships":{`+
			`"categories":{"data":[`+reference("categories", category)+`]},`+
			`"instructor_partnerships":{"data":[`+reference("instructor_partnerships", part)+`]}}}}`)
		shown := s.get(t, "/v2/courses/"+strings.ToLower(strings.ReplaceAll(c.name, " ", "-"))).data // found by its permalink
		is.Equal(text(shown, "id"), made.id())
		is.Equal(text(shown, "relationships.categories.data.0.id"), category)
		is.Equal(text(shown, "relationships.instructor_partnerships.data.0.id"), part)
		s.courses[made.id()] = s.structure(t, made.id(), c.name, c.plan)
		s.dyes = made.id()
		if c.plan == craftPlan {
			s.craft = made.id()
		}
	}
	s.ask(t, 403, "DELETE", "/v2/people/"+s.people[0], "") // an instructor cannot be deleted
}

// structure sets the structure of a course and returns the course. Before, it checks that an
// invalid plan is refused and that a dry run changes nothing.
func (s *journey) structure(t *testing.T, id, name, plan string) course {
	t.Helper()
	is := is.New(t)
	path, body := "/v2/courses/"+id+"/structure", `{"data":{"type":"course_structures","attributes":{"activities":`+plan+`}}}`
	s.ask(t, 422, "PUT", path, strings.Replace(body, `"kind":"text"`, `"kind":"song"`, 1))
	dry := s.ask(t, 200, "PUT", path+"?dryRun=true", body).data
	is.Equal(at(s.get(t, path).data, "attributes.activities"), []any{})
	done := s.ask(t, 200, "PUT", path, body).data
	is.Equal(at(done, "attributes.created"), at(dry, "attributes.created"))
	is.Equal(at(s.get(t, path).data, "attributes.activities"), at(done, "attributes.activities"))

	var planned []struct {
		Quiz struct {
			Questions []struct {
				Text    string
				Choices []struct {
					Text    string
					Correct bool
				}
			}
		}
	}
	is.NoErr(json.Unmarshal([]byte(plan), &planned))
	made := course{id: id, name: name}
	for i, p := range planned {
		activity := at(done, "attributes.activities."+strconv.Itoa(i))
		made.activities = append(made.activities, text(activity, "id"))
		s.courseOf[text(activity, "id")] = id
		if quiz := text(activity, "quiz.id"); quiz != "" {
			made.quiz = quiz
		}
		if work := text(activity, "assignment.id"); work != "" {
			made.assignment = work
		}
		for j, asked := range p.Quiz.Questions {
			q := question{text(activity, "quiz.questions."+strconv.Itoa(j)+".id"), asked.Text, "", "", j + 1}
			for _, c := range asked.Choices {
				if c.Correct {
					q.right = c.Text
				} else {
					q.wrong = c.Text
				}
			}
			made.questions = append(made.questions, q)
		}
	}
	is.Equal(len(s.all(t, "/v2/courses/"+id+"/activities")), len(planned))
	return made
}
