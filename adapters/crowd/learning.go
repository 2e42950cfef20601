package crowd

import (
	"time"

	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
)

// answersOfLearner is about how many answers those give who answer at all.
const answersOfLearner = 4

// course returns the number of the k-th course of the n-th learner.
func (g *generator) course(n, k int) int {
	return (g.pick(ofEnrollment, n, g.Courses) + k*g.stride%g.Courses) % g.Courses
}

// learning makes what each learner joins and learns.
func (g *generator) learning() error {
	for n := range g.learners() {
		p, err := g.person(who(n))
		if err != nil {
			return err
		}
		courses, number := share(g.Enrollments, g.learners(), n)
		if err := g.join(n, p, courses); err != nil {
			return err
		}
		for k := range courses {
			if err := g.enroll(p, number+k, g.courses[g.course(n, k)]); err != nil {
				return err
			}
		}
	}
	return nil
}

// join seats the n-th learner, who learns so many courses, in groups: those that
// hold one of these, then those that hold none, so that who is a member learns
// what the group holds.
func (g *generator) join(n int, p person.Person, courses int) error {
	seats, number := share(g.Memberships, g.learners(), n)
	take := func(circle int) error {
		at := p.State().CreatedAt.Add(time.Hour)
		m, err := membership.Join(
			membership.ID{UUID: g.id(ofMembership, number, at)}, p, g.circles[circle], membership.Member, at)
		if err != nil {
			return err
		}
		g.batch.Memberships = append(g.batch.Memberships, m)
		seats, number = seats-1, number+1
		return g.made(1)
	}
	reserved := seats / 2 // those of groups without a course
	for k := 0; k < courses && seats > reserved; k++ {
		for circle := 2*g.course(n, k) + 1; circle < g.Groups && seats > reserved; circle += 2 * g.Courses {
			if err := take(circle); err != nil {
				return err
			}
		}
	}
	for first, j := g.pick(ofGroup, n, max(g.open(), 1)), 0; seats > 0; j++ {
		if err := take(2 * ((first + j) % g.open())); err != nil {
			return err
		}
	}
	return nil
}

// enroll makes the enrollment with the given number, and what the learner does
// in the course.
func (g *generator) enroll(p person.Person, number int, s subject) error {
	at := p.State().CreatedAt.Add(24 * time.Hour)
	e, err := enrollment.Enroll(
		enrollment.ID{UUID: g.id(ofEnrollment, number, at)}, p, s.course, enrollment.Learner, at)
	if err != nil {
		return err
	}
	g.batch.Enrollments = append(g.batch.Enrollments, e)
	answers := g.answersOf(number)
	if g.begun(number) {
		if err := g.attempt(e, number, answers, s); err != nil {
			return err
		}
	}
	return g.made(1 + answers)
}

// answersOf returns how many answers are given by who has the enrollment with the
// given number: nobody's is far from that of others who answer, and these are
// spread evenly.
func (g *generator) answersOf(number int) int {
	if g.Answers == 0 {
		return 0
	}
	busy := min(g.Enrollments, (g.Answers+answersOfLearner-1)/answersOfLearner)
	n := number * busy / g.Enrollments
	if (number+1)*busy/g.Enrollments == n {
		return 0
	}
	own, _ := share(g.Answers, busy, n)
	return own
}

// completedBy returns how many of the first activities of a course are completed
// in the attempt of the enrollment with the given number, if it has one.
func (g *generator) completedBy(number, activities int) int {
	return g.pick(ofActivity, number, activities+1)
}

// begun reports whether the enrollment with the given number has an attempt.
func (g *generator) begun(number int) bool {
	return g.answersOf(number) > 0 || g.chance(ofAttempt, number)%2 == 0
}

// attempt makes the attempt of an enrollment: some of the course's activities
// are completed, in their order, and so many questions of its quiz answered. The
// quiz is completed as well when all of them are.
func (g *generator) attempt(e enrollment.Enrollment, number, answers int, s subject) error {
	at := e.CreatedAt.Add(time.Duration(1+g.pick(ofAttempt, number, 48)) * time.Hour)
	a := attempt.Begin(attempt.ID{UUID: g.id(ofAttempt, number, at)}, e, nil, at)
	tally := attempt.Tally{Activities: len(s.activities)}
	for i, act := range s.activities {
		if i >= g.completedBy(number, len(s.activities)) && (i != quizPlace || answers < len(s.quiz.State().Questions)) {
			continue
		}
		tally.Completed++
		done := at.Add(time.Duration(tally.Completed) * 20 * time.Minute)
		tally.LastAt = &done
		g.batch.Completions = append(g.batch.Completions,
			attempt.Completion{Attempt: a.State().ID, Activity: act.ID, At: done})
	}
	a.Measure(tally)
	g.batch.Attempts = append(g.batch.Attempts, a)
	g.held += 1 + tally.Completed
	return g.answer(a.State(), number, answers, s)
}

// answer answers questions of the quiz of the course, again from the first when
// all are answered.
func (g *generator) answer(in attempt.State, number, answers int, s subject) error {
	var last *quizattempt.Attempt
	questions := s.quiz.State().Questions
	for given := 0; given < answers; {
		at := in.StartedAt.Add(time.Duration(given+1) * time.Minute)
		runs := 0
		if last != nil {
			runs = last.State().Number
		}
		id := quizattempt.ID{UUID: g.id(ofRun, number<<20|runs, at)}
		run := quizattempt.Begin(id, in, s.activities[quizPlace], last, at)
		for _, q := range questions[:min(len(questions), answers-given)] {
			choice := q.Choices[g.pick(ofQuestion, number+given, len(q.Choices))].Text
			if _, err := run.Answer(s.quiz, q.ID, []string{choice}, at.Add(time.Duration(given)*time.Second)); err != nil {
				return err
			}
			given++
		}
		g.batch.QuizAttempts = append(g.batch.QuizAttempts, run)
		last = &run
	}
	return nil
}
