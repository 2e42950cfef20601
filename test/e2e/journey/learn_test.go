package journey_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// reportEvents reports events and records the new events. It sends a single event as a document and
// several events as an array.
func (s *journey) reportEvents(t *testing.T, events ...reportedEvent) {
	t.Helper()
	elements := make([]string, len(events))
	for i, e := range events {
		var attributes []string
		if e.watched != "" {
			attributes = append(attributes, `"percentage_watched":`+e.watched)
		}
		if e.client != "" {
			attributes = append(attributes, `"client_id":"`+e.client+`"`)
		}
		elements[i] = fmt.Sprintf(`{"type":%q,"attributes":{%s},"relationships":{%s,%s}}`, e.typ, strings.Join(attributes, ","),
			related("person", "people", e.person), related("activity", "activities", e.activity))
	}
	body := elements[0]
	if len(elements) > 1 {
		body = "[" + strings.Join(elements, ",") + "]"
	}
	shown := s.post(t, "/v2/events", `{"data":`+body+`}`).data
	if len(events) == 1 {
		shown = []any{shown}
	}
	for i, e := range events {
		e.at = text(shown, strconv.Itoa(i)+".attributes.created_at")
		if first, ok := s.expected.last[e.client]; ok && e.client != "" {
			is.New(t).Equal(e, first) // for a repeated event, the response contains the first event with its time
			continue
		}
		s.expected.last[e.client] = e
		s.expected.feed = append(s.expected.feed, e)
		in := s.expected.current(enrollmentKey{e.person, s.courseOf[e.activity]})
		if share, _ := strconv.ParseFloat(e.watched, 64); share >= 0.9 {
			in.complete(e.activity, e.at) // the video was watched nearly to its end
		}
	}
}

// complete completes an activity. A second completion in the same attempt has no effect.
func (s *journey) complete(t *testing.T, person, activity string) {
	t.Helper()
	in := s.expected.current(enrollmentKey{person, s.courseOf[activity]})
	before, status := in.completed[activity], 201
	if before != "" {
		status = 200
	}
	a := s.ask(t, status, "POST", "/v2/activities/"+activity+"/completions",
		`{"data":{"type":"activity_completions","relationships":{`+related("person", "people", person)+`}}}`)
	at := text(a.data, "attributes.created_at")
	if before != "" {
		is.New(t).Equal(at, before)
	}
	in.completed[activity], in.id = at, text(a.data, "relationships.course_attempt.data.id")
}

// answerQuestion answers a question with one of its choices.
func (s *journey) answerQuestion(t *testing.T, person string, c course, q question, choice string) {
	t.Helper()
	a := s.post(t, "/v2/quizzes/"+c.quiz+"/answers", fmt.Sprintf(
		`{"data":{"type":"quiz_raw_answers","attributes":{"response":%q},"relationships":{%s,%s}}}`, choice,
		related("person", "people", person), related("question", "questions", q.id)))
	p := enrollmentKey{person, c.id}
	g := givenAnswer{question: q, response: choice, right: choice == q.right, at: text(a.data, "attributes.date_answered")}
	s.expected.answer(p, c.activities[quizAt], g, len(c.questions), text(a.data, "relationships.quiz_attempt.data.id"))
	is.New(t).Equal(at(a.data, "attributes.marked_correct"), g.right)
}

// retake starts a course again. This must fail until the whole course is completed.
func (s *journey) retake(t *testing.T, person string, c course) {
	t.Helper()
	p, status := enrollmentKey{person, c.id}, 201
	if len(s.expected.attempts[p]) > 0 && !s.expected.mayRetake(p, c) {
		status = 422
	}
	a := s.ask(t, status, "POST", "/v2/courses/"+c.id+"/attempts",
		`{"data":{"type":"course_attempts","relationships":{`+related("person", "people", person)+`}}}`)
	if status == 201 {
		s.expected.begin(p, a.id())
	}
}

// learn lets one person perform every action, and then lets all people perform random actions. The
// last learner never starts the second course.
func (s *journey) learn(t *testing.T) {
	craft, first := s.courses[s.craft], s.learners[0]
	s.reportEvents(t, reportedEvent{typ: viewed, person: first, activity: craft.activities[0], client: "tablet-1"})
	s.reportEvents(t, reportedEvent{typ: viewed, person: first, activity: craft.activities[0], client: "tablet-1"}) // the same event again
	s.answerQuestion(t, first, craft, craft.questions[0], craft.questions[0].wrong)
	s.answerQuestion(t, first, craft, craft.questions[0], craft.questions[0].right)
	s.retake(t, first, craft) // not possible yet, because the course is not completed
	for _, activity := range craft.activities {
		s.complete(t, first, activity)
	}
	s.retake(t, first, craft)

	chance := rand.New(rand.NewPCG(11, 2026)) // the same actions in every run
	for n := range 160 {
		who := chance.IntN(len(s.learners))
		c := craft
		if chance.IntN(3) == 0 && who < len(s.learners)-1 {
			c = s.courses[s.dyes]
		}
		person, activity := s.learners[who], c.activities[chance.IntN(len(c.activities))]
		switch chance.IntN(8) {
		case 0:
			s.reportEvents(t, reportedEvent{typ: viewed, person: person, activity: activity})
		case 1:
			video := craft.activities[videoAt]
			again := reportedEvent{typ: watched, person: person, activity: video, watched: "0.25", client: "player-" + strconv.Itoa(n)}
			end := reportedEvent{typ: watched, person: person, activity: video, watched: strconv.FormatFloat(float64(chance.IntN(9))/8, 'f', -1, 64)}
			s.reportEvents(t, again, end, again)
		case 2, 3, 4:
			if len(c.questions) > 0 {
				q := c.questions[chance.IntN(len(c.questions))]
				s.answerQuestion(t, person, c, q, []string{q.right, q.wrong}[chance.IntN(2)])
			}
		case 5, 6:
			s.complete(t, person, activity)
		default:
			s.retake(t, person, c)
		}
	}
}
