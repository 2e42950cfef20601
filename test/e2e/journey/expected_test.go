package journey_test

import (
	"slices"
	"strconv"
)

// book is what the test itself writes down of what people do, and from which it
// works out all figures. It shares nothing with the program.
type book struct {
	tries map[place][]*try // of a person in a course, the first to the latest
	feed  []happening
	last  map[string]happening // by the client's id of an event
}

type place struct{ person, course string }

// try is a course attempt.
type try struct {
	id   string                   // blank as long as no answer has told it
	done map[string]string        // when each activity was completed
	runs map[string][]quizSession // through the quiz of each activity
}

// quizSession is a run through a quiz: the last word on each question, by its number.
type quizSession struct {
	id      string
	answers map[int]givenAnswer
}

type givenAnswer struct {
	question question
	response string
	right    bool
	at       string
}

// happening is an event: who, what, how much of it and when.
type happening struct{ typ, person, activity, watched, client, at string }

func newBook() *book { return &book{tries: map[place][]*try{}, last: map[string]happening{}} }

// current is the attempt in which somebody is; the first deed opens the first.
func (b *book) current(p place) *try {
	if len(b.tries[p]) == 0 {
		b.begin(p, "")
	}
	return b.tries[p][len(b.tries[p])-1]
}

func (b *book) begin(p place, id string) {
	b.tries[p] = append(b.tries[p], &try{id: id, done: map[string]string{}, runs: map[string][]quizSession{}})
}

// whole tells whether somebody has completed a course and may take it again.
func (b *book) whole(p place, c course) bool {
	return len(b.tries[p]) > 0 && len(b.current(p).done) == len(c.activities)
}

// answered keeps an answer: in the place of an earlier one, or as the first of the
// next run when the last is complete.
func (b *book) answered(p place, activity string, g givenAnswer, questions int, run string) {
	t := b.current(p)
	runs := t.runs[activity]
	if len(runs) == 0 || len(runs[len(runs)-1].answers) == questions {
		runs = append(runs, quizSession{id: run, answers: map[int]givenAnswer{}})
	}
	runs[len(runs)-1].answers[g.question.number] = g
	t.runs[activity] = runs
	if len(runs[len(runs)-1].answers) == questions {
		t.finish(activity, g.at)
	}
}

// finish writes down when an activity was completed, once.
func (t *try) finish(activity, at string) {
	if t.done[activity] == "" {
		t.done[activity] = at
	}
}

// forget leaves nothing of a person.
func (b *book) forget(person string) {
	for p := range b.tries {
		if p.person == person {
			delete(b.tries, p)
		}
	}
	b.feed = slices.DeleteFunc(b.feed, func(h happening) bool { return h.person == person })
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
func (b *book) progress(enrolled map[place]string, courses map[string]course) []progressRow {
	var rows []progressRow
	for p, since := range enrolled {
		if len(b.tries[p]) == 0 {
			rows = append(rows, progressRow{p.person, p.course, "none", since, "", "0"})
		}
		for _, t := range b.tries[p] {
			last := ""
			for _, at := range t.done {
				last = max(last, at)
			}
			rows = append(rows, progressRow{
				p.person, p.course, t.name(), since, last, percent(len(t.done), len(courses[p.course].activities)),
			})
		}
	}
	return rows
}

func (t *try) name() string {
	if t.id == "" {
		return "untold"
	}
	return t.id
}

// scoreRow is a row of analytics/quiz_scores.
type scoreRow struct{ person, course, activity, quiz, number, last, correct, progress, completed string }

// scores is the rows of analytics/quiz_scores: the latest run of each attempt counts.
func (b *book) scores(courses map[string]course) []scoreRow {
	var rows []scoreRow
	for p, tries := range b.tries {
		for i, t := range tries {
			for activity, runs := range t.runs {
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
func (b *book) answers(courses map[string]course) []answerRow {
	var rows []answerRow
	for p, tries := range b.tries {
		c := courses[p.course]
		for i, t := range tries {
			for _, runs := range t.runs {
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
