package faults

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"time"
)

// learning contains the writes of learner data in the course learn.
var learning = []kind{
	{"report events", reportEvents},
	{"report events", reportEvents},
	{"report events", reportEvents},
	{"complete a text", completeText},
	{"answer", answerQuiz},
	{"answer", answerQuiz},
	{"submit a file", submitFile},
}

func learns(l *learner) bool { return l.in[learn] }

// reportEvents reports up to three events. Either all are saved or none. Each event has a different
// time and is therefore unique.
func reportEvents(c *client) (pendingWrite, bool) {
	l, ok := c.pick(learns)
	if !ok {
		return pendingWrite{}, false
	}
	var events []string
	var e Entry
	for i := range 1 + c.rng.IntN(3) {
		at := c.school.began.Add(-time.Hour + time.Duration((c.n*3+i)*clients+c.no)*time.Millisecond).Format(stamp)
		typ, activity, more := "learner_viewed_activity_events", text, ""
		if c.rng.IntN(2) == 0 {
			typ, activity, more = "learner_viewed_video_activity_events", video, `,"percentage_watched":0.25`
			if c.rng.IntN(4) == 0 {
				more = `,"percentage_watched":0.95`
				e.Adds = append(e.Adds, l.complete(video)...)
			}
		}
		if c.rng.IntN(2) == 0 {
			more += fmt.Sprintf(`,"client_id":"%d-%d-%d"`, c.no, c.n, i)
		}
		events = append(events, fmt.Sprintf(`{"type":%q,"attributes":{"occurred_at":%q%s},"relationships":{%s,%s}}`, typ, at, more,
			toOne("person", "people", l.id), toOne("activity", "activities", c.school.activities[activity])))
		e.Adds = append(e.Adds, Row{event, l.email, at + " " + activity})
	}
	return pendingWrite{request: post(201, "/v2/events", `{"data":[%s]}`, strings.Join(events, ",")), entry: e}, true
}

func completeText(c *client) (pendingWrite, bool) {
	l, ok := c.pick(func(l *learner) bool { return learns(l) && !l.completed[text] })
	if !ok {
		return pendingWrite{}, false
	}
	return pendingWrite{
		request: post(201, "/v2/activities/"+c.school.activities[text]+"/completions",
			`{"data":{"type":"activity_completions","relationships":{%s}}}`, toOne("person", "people", l.id)),
		entry: Entry{Adds: l.complete(text)},
	}, true
}

// answerQuiz answers the next question or all remaining questions. Either all answers are saved or
// none. The last answer of a quiz attempt completes the activity. The next answer starts another
// quiz attempt.
func answerQuiz(c *client) (pendingWrite, bool) {
	l, ok := c.pick(learns)
	if !ok {
		return pendingWrite{}, false
	}
	count := 1 + c.rng.IntN(questions-l.answers%questions)
	var answers []string
	var e Entry
	for range count {
		q := l.answers % questions
		l.answers++
		answers = append(answers, fmt.Sprintf(`{"type":"quiz_raw_answers","attributes":{"response":"Yes"},"relationships":{%s,%s}}`,
			toOne("person", "people", l.id), toOne("question", "questions", c.school.questions[q])))
		e.Adds = append(e.Adds, Row{answer, l.email, fmt.Sprintf("%d/%d", q+1, questions)})
		if l.answers%questions == 0 {
			e.Adds = append(e.Adds, l.complete(quiz)...)
		}
	}
	return pendingWrite{
		request: post(201, "/v2/quizzes/"+c.school.quiz+"/answers", `{"data":[%s]}`, strings.Join(answers, ",")), entry: e,
	}, true
}

// submitFile submits a file whose content is its name.
func submitFile(c *client) (pendingWrite, bool) {
	l, ok := c.pick(learns)
	if !ok {
		return pendingWrite{}, false
	}
	name := strings.ReplaceAll(c.name("file"), " ", "-") + ".txt"
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("person", l.id)
	part, _ := form.CreateFormFile("file", name) // writing to a buffer returns no error
	_, _ = io.WriteString(part, name)
	_ = form.Close()
	w := pendingWrite{
		request: post(201, "/v2/assignments/"+c.school.assignment+"/submissions", ""),
		entry:   Entry{Adds: append([]Row{{file, l.email, name}}, l.complete(work)...)},
		done: func(t exchange, e *Entry) {
			e.Adds = append(e.Adds, Row{idKind, l.email, idOf(t.body)})
		},
	}
	w.body, w.contentType = body.Bytes(), form.FormDataContentType()
	return w, true
}
