package journey_test

import (
	"slices"
	"strconv"
)

// expected is what the test itself writes down of what people do, and from which it
// works out all figures. It shares nothing with the program.
type expected struct {
	attempts map[enrollmentKey][]*courseAttempt // of a person in a course, the first to the latest
	feed     []reportedEvent
	last     map[string]reportedEvent // by the client's id of an event
}

type enrollmentKey struct{ person, course string }

// courseAttempt is a course attempt.
type courseAttempt struct {
	id           string                   // blank as long as no answer has told it
	completed    map[string]string        // when each activity was completed
	quizAttempts map[string][]quizAttempt // through the quiz of each activity
}

// quizAttempt is a run through a quiz: the last word on each question, by its number.
type quizAttempt struct {
	id      string
	answers map[int]givenAnswer
}

type givenAnswer struct {
	question question
	response string
	right    bool
	at       string
}

// reportedEvent is an event: who, what, how much of it and when.
type reportedEvent struct{ typ, person, activity, watched, client, at string }

func newBook() *expected {
	return &expected{attempts: map[enrollmentKey][]*courseAttempt{}, last: map[string]reportedEvent{}}
}

// current is the attempt in which somebody is; the first deed opens the first.
func (b *expected) current(p enrollmentKey) *courseAttempt {
	if len(b.attempts[p]) == 0 {
		b.begin(p, "")
	}
	return b.attempts[p][len(b.attempts[p])-1]
}

func (b *expected) begin(p enrollmentKey, id string) {
	b.attempts[p] = append(b.attempts[p], &courseAttempt{id: id, completed: map[string]string{}, quizAttempts: map[string][]quizAttempt{}})
}

// mayRetake tells whether somebody has completed a course and may take it again.
func (b *expected) mayRetake(p enrollmentKey, c course) bool {
	return len(b.attempts[p]) > 0 && len(b.current(p).completed) == len(c.activities)
}

// answer keeps an answer: in the place of an earlier one, or as the first of the
// next run when the last is complete.
func (b *expected) answer(p enrollmentKey, activity string, g givenAnswer, questions int, run string) {
	t := b.current(p)
	runs := t.quizAttempts[activity]
	if len(runs) == 0 || len(runs[len(runs)-1].answers) == questions {
		runs = append(runs, quizAttempt{id: run, answers: map[int]givenAnswer{}})
	}
	runs[len(runs)-1].answers[g.question.number] = g
	t.quizAttempts[activity] = runs
	if len(runs[len(runs)-1].answers) == questions {
		t.complete(activity, g.at)
	}
}

// complete writes down when an activity was completed, once.
func (t *courseAttempt) complete(activity, at string) {
	if t.completed[activity] == "" {
		t.completed[activity] = at
	}
}

// deletePerson leaves nothing of a person.
func (b *expected) deletePerson(person string) {
	for p := range b.attempts {
		if p.person == person {
			delete(b.attempts, p)
		}
	}
	b.feed = slices.DeleteFunc(b.feed, func(h reportedEvent) bool { return h.person == person })
}

// percent is how much of the whole a part is, rounded half up to two decimals.
func percent(part, whole int) string {
	hundredths := 0
	if whole > 0 {
		hundredths = (part*20_000 + whole) / (2 * whole)
	}
	return strconv.FormatFloat(float64(hundredths)/100, 'f', -1, 64)
}

// progressRow is a row of analytics/courses.
type progressRow struct{ person, course, attempt, enrolled, last, progress string }

// progress is the rows of analytics/courses. enrolled is who learns where, since when.
func (b *expected) progress(enrolled map[enrollmentKey]string, courses map[string]course) []progressRow {
	var rows []progressRow
	for p, since := range enrolled {
		if len(b.attempts[p]) == 0 {
			rows = append(rows, progressRow{p.person, p.course, "none", since, "", "0"})
		}
		for _, t := range b.attempts[p] {
			last := ""
			for _, at := range t.completed {
				last = max(last, at)
			}
			rows = append(rows, progressRow{
				p.person, p.course, t.name(), since, last, percent(len(t.completed), len(courses[p.course].activities)),
			})
		}
	}
	return rows
}

func (t *courseAttempt) name() string {
	if t.id == "" {
		return "untold"
	}
	return t.id
}

// scoreRow is a row of analytics/quiz_scores.
type scoreRow struct{ person, course, activity, quiz, number, last, correct, progress, completed string }

// scores is the rows of analytics/quiz_scores: the latest run of each attempt counts.
func (b *expected) scores(courses map[string]course) []scoreRow {
	var rows []scoreRow
	for p, tries := range b.attempts {
		for i, t := range tries {
			for activity, runs := range t.quizAttempts {
				run, total, right, last := runs[len(runs)-1], len(courses[p.course].questions), 0, ""
				for _, g := range run.answers {
					last = max(last, g.at)
					if g.right {
						right++
					}
				}
				n := len(run.answers)
				rows = append(rows, scoreRow{
					p.person, p.course, activity, courses[p.course].quiz, strconv.Itoa(i + 1), last, percent(right, n),
					percent(n, total), strconv.Itoa(n) + "/" + strconv.Itoa(total),
				})
			}
		}
	}
	return rows
}

// answerRow is a row of analytics/quiz_raw_answers.
type answerRow struct{ id, person, title, number, course, at, right, position, question, quiz, response string }

// answers is the rows of analytics/quiz_raw_answers: those of all runs.
func (b *expected) answers(courses map[string]course) []answerRow {
	var rows []answerRow
	for p, tries := range b.attempts {
		c := courses[p.course]
		for i, t := range tries {
			for _, runs := range t.quizAttempts {
				for _, run := range runs {
					for number, g := range run.answers {
						rows = append(rows, answerRow{
							run.id + ":" + g.question.id, p.person, quizTitle, strconv.Itoa(i + 1), c.name, g.at,
							strconv.FormatBool(g.right), strconv.Itoa(number) + "/" + strconv.Itoa(len(c.questions)),
							g.question.text, quizName, g.response,
						})
					}
				}
			}
		}
	}
	return rows
}
