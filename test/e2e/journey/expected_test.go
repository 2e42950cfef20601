package journey_test

import (
	"slices"
	"strconv"
)

// expected records the actions of people and computes all analytics from these actions. It shares
// no code with the program.
type expected struct {
	attempts map[enrollmentKey][]*courseAttempt // the attempts of a person at a course, in order
	feed     []reportedEvent
	last     map[string]reportedEvent // the last event by client id
}

type enrollmentKey struct{ person, course string }

// courseAttempt is a course attempt.
type courseAttempt struct {
	id           string                   // blank until a response contains it
	completed    map[string]string        // time of completion by activity
	quizAttempts map[string][]quizAttempt // by activity
}

// quizAttempt contains the latest answer to each question of a quiz attempt, by question number.
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

// reportedEvent is an event in the form in which it was reported.
type reportedEvent struct{ typ, person, activity, watched, client, at string }

func newExpected() *expected {
	return &expected{attempts: map[enrollmentKey][]*courseAttempt{}, last: map[string]reportedEvent{}}
}

// current returns the current attempt. The first action of a person starts the first attempt.
func (e *expected) current(p enrollmentKey) *courseAttempt {
	if len(e.attempts[p]) == 0 {
		e.begin(p, "")
	}
	return e.attempts[p][len(e.attempts[p])-1]
}

func (e *expected) begin(p enrollmentKey, id string) {
	e.attempts[p] = append(e.attempts[p], &courseAttempt{id: id, completed: map[string]string{}, quizAttempts: map[string][]quizAttempt{}})
}

// mayRetake reports whether a person has completed a course and can start it again.
func (e *expected) mayRetake(p enrollmentKey, c course) bool {
	return len(e.attempts[p]) > 0 && len(e.current(p).completed) == len(c.activities)
}

// answer records an answer. It replaces an earlier answer to the question or, if the last quiz
// attempt is complete, begins the next quiz attempt, whose id is run.
func (e *expected) answer(p enrollmentKey, activity string, g givenAnswer, questions int, run string) {
	t := e.current(p)
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

// complete records the time of the first completion of an activity.
func (t *courseAttempt) complete(activity, at string) {
	if t.completed[activity] == "" {
		t.completed[activity] = at
	}
}

// deletePerson deletes all data of a person.
func (e *expected) deletePerson(person string) {
	for p := range e.attempts {
		if p.person == person {
			delete(e.attempts, p)
		}
	}
	e.feed = slices.DeleteFunc(e.feed, func(h reportedEvent) bool { return h.person == person })
}

// percent returns part of whole as a percentage with two decimals, rounded half up.
func percent(part, whole int) string {
	hundredths := 0
	if whole > 0 {
		hundredths = (part*20_000 + whole) / (2 * whole)
	}
	return strconv.FormatFloat(float64(hundredths)/100, 'f', -1, 64)
}

// progressRow is a row of analytics/courses.
type progressRow struct{ person, course, attempt, enrolled, last, progress string }

// progress returns the rows of analytics/courses. enrolled contains the time of each enrollment as
// learner.
func (e *expected) progress(enrolled map[enrollmentKey]string, courses map[string]course) []progressRow {
	var rows []progressRow
	for p, since := range enrolled {
		if len(e.attempts[p]) == 0 {
			rows = append(rows, progressRow{p.person, p.course, "none", since, "", "0"})
		}
		for _, t := range e.attempts[p] {
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
		return "unreported"
	}
	return t.id
}

// scoreRow is a row of analytics/quiz_scores.
type scoreRow struct{ person, course, activity, quiz, number, last, correct, progress, completed string }

// scores returns the rows of analytics/quiz_scores. Each row is about the latest quiz attempt of a
// course attempt.
func (e *expected) scores(courses map[string]course) []scoreRow {
	var rows []scoreRow
	for p, tries := range e.attempts {
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

// answers returns the rows of analytics/quiz_raw_answers. They contain the answers of all quiz
// attempts.
func (e *expected) answers(courses map[string]course) []answerRow {
	var rows []answerRow
	for p, tries := range e.attempts {
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
