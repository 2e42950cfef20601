package schoolfile

import (
	"strings"
	"time"

	"lyceum/app"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/quiz"
)

func demoQuiz(i int, q demoQuizRow) app.QuizPlan {
	plan := app.QuizPlan{ID: demoID("quiz " + q.name), Name: q.name, CreatedAt: demoTime(i+1, 3*time.Hour+7*time.Minute)}
	for _, row := range q.questions {
		question := app.QuestionPlan{Text: row.text}
		for _, text := range row.choices {
			right, correct := strings.CutPrefix(text, "*")
			question.Choices = append(question.Choices, quiz.Choice{Text: right, Correct: correct})
		}
		plan.Questions = append(plan.Questions, question)
	}
	return plan
}

func demoAssignment(i int, title string) app.AssignmentPlan {
	return app.AssignmentPlan{
		ID: demoID("assignment " + title), Title: title, CreatedAt: demoTime(i+1, 4*time.Hour+31*time.Minute),
	}
}

func demoActivitiesOf(permalink string) []app.ActivityPlan {
	rows := demoActivities[permalink]
	plans := make([]app.ActivityPlan, len(rows))
	for i, a := range rows {
		plans[i] = app.ActivityPlan{
			ID: demoID("activity " + permalink + " " + a.title), Title: a.title,
			Length: time.Duration(a.seconds) * time.Second, Quiz: a.quiz, Assignment: a.assignment,
		}
	}
	return plans
}

// demoStory is what a learner does in a course, at growing times.
type demoStory struct {
	email string
	at    time.Time
	facts []app.FactPlan
}

// demoFacts tells what the learners of a course do. Each takes another way: one
// never begins, one has a look, one comes half way, one ends it and needs the
// quiz twice, one goes through it twice.
func demoFacts(i int, c app.CoursePlan) []app.FactPlan {
	var all []app.FactPlan
	rows := demoActivities[c.Permalink]
	learners := 0
	for _, p := range c.Places {
		if p.Role != enrollment.Learner {
			continue
		}
		s := &demoStory{email: p.Email, at: c.CreatedAt.Add(time.Duration(learners+1) * (7*time.Hour + 13*time.Minute))}
		switch (learners + i) % 5 {
		case 0:
		case 1:
			s.tell(app.FactPlan{Did: app.Viewed, Activity: rows[0].title})
		case 2:
			s.study(rows[:len(rows)/2], true)
		case 3:
			s.study(rows, false)
		case 4:
			s.study(rows, true)
			s.tell(app.FactPlan{Did: app.Retook})
			s.study(rows[:1], true)
		}
		all = append(all, s.facts...)
		learners++
	}
	return all
}

func (s *demoStory) tell(f app.FactPlan) {
	f.Email, f.At = s.email, s.at
	s.facts = append(s.facts, f)
	s.at = s.at.Add(6*time.Minute + 40*time.Second)
}

// study goes through activities; who does not know it all takes a quiz again.
func (s *demoStory) study(rows []demoActivityRow, knows bool) {
	for _, a := range rows {
		s.tell(app.FactPlan{Did: app.Viewed, Activity: a.title})
		if a.seconds > 0 {
			s.tell(app.FactPlan{Did: app.Watched, Activity: a.title, Fraction: 375_000})
			if !knows {
				s.tell(app.FactPlan{Did: app.Watched, Activity: a.title, Fraction: wholeVideo})
			}
		}
		if a.quiz != "" {
			if !knows {
				s.answer(a, false)
			}
			s.answer(a, true)
		}
		if a.assignment != "" {
			s.tell(app.FactPlan{Did: app.Submitted, Activity: a.title, File: demoFile(s.email, a.assignment)})
		}
		s.tell(app.FactPlan{Did: app.Completed, Activity: a.title})
	}
}

const wholeVideo event.Fraction = 1_000_000

// answer answers all questions of a quiz, the first one wrongly unless the
// learner knows better.
func (s *demoStory) answer(a demoActivityRow, knows bool) {
	for i, q := range demoQuizzes {
		if q.name != a.quiz {
			continue
		}
		for j, question := range demoQuiz(i, q).Questions {
			var chosen []string
			for _, c := range question.Choices {
				if c.Correct == (knows || j > 0) {
					chosen = append(chosen, c.Text)
				}
			}
			s.tell(app.FactPlan{Did: app.Answered, Activity: a.title, Question: question.Text, Chosen: chosen})
		}
	}
}

// demoFile is what a learner hands in.
func demoFile(email, assignment string) app.FilePlan {
	who, _, _ := strings.Cut(email, "@")
	return app.FilePlan{
		Name: assignment + " – " + who + ".txt", MediaType: "text/plain",
		Text: assignment + "\n\nHanded in by " + who + ".\n",
	}
}
