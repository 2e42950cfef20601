package demo

import (
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
)

// answersOfLearner is about how many answers those give who answer at all.
const answersOfLearner = 4

// course returns the index of the k-th course of the n-th learner.
func (g *generator) course(n, k int) int {
	return (g.pick(ofEnrollment, n, g.Courses) + k*g.stride%g.Courses) % g.Courses
}

// learning writes what each learner joins and learns.
func (g *generator) learning() {
	for n := range g.learners() {
		courses, number := share(g.Enrollments, g.learners(), n)
		g.join(n, courses)
		for k := range courses {
			g.enroll(n, number+k, g.courses[g.course(n, k)])
		}
	}
}

// join makes the n-th learner, who learns so many courses, a member of groups:
// those that hold one of these, then those that hold none, so that every member
// learns what the group holds.
func (g *generator) join(n, courses int) {
	left, _ := share(g.Memberships, g.learners(), n)
	at := format.At(g.came(who(n)).Add(time.Hour))
	add := func(group int) {
		g.write(format.Membership{
			Kind: format.MembershipKind, Group: g.group(group), Person: g.Email(who(n)),
			Role: membership.Member.String(), CreatedAt: at,
		})
		left--
	}
	reserved := left / 2 // memberships of groups without a course
	for k := 0; k < courses && left > reserved; k++ {
		for group := 2*g.course(n, k) + 1; group < g.Groups && left > reserved; group += 2 * g.Courses {
			add(group)
		}
	}
	for first, j := g.pick(ofGroup, n, max(g.open(), 1)), 0; left > 0; j++ {
		add(2 * ((first + j) % g.open()))
	}
}

// enroll writes the enrollment with the given number, and what the n-th learner
// does in the course.
func (g *generator) enroll(n, number int, c course) {
	email, at := g.Email(who(n)), g.came(who(n)).Add(24*time.Hour)
	g.write(format.Enrollment{
		Kind: format.EnrollmentKind, Course: c.permalink, Person: email,
		Role: enrollment.Learner.String(), CreatedAt: format.At(at),
	})
	if g.started(number) {
		g.attempt(email, at, number, c)
	}
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

// started reports whether the enrollment with the given number has an attempt.
func (g *generator) started(number int) bool {
	return g.answersOf(number) > 0 || g.chance(ofAttempt, number)%2 == 0
}

// attempt writes the attempt of an enrollment: some of the course's activities
// are completed, in their order, and some questions of its quiz answered. The
// quiz is completed as well when all of them are.
func (g *generator) attempt(email string, enrolled time.Time, number int, c course) {
	at := enrolled.Add(time.Duration(1+g.pick(ofAttempt, number, 48)) * time.Hour)
	answers := g.answersOf(number)
	line := format.Attempt{
		Kind: format.AttemptKind, Course: c.permalink, Person: email, Number: 1, StartedAt: format.At(at),
	}
	for i, a := range c.activities {
		if i >= g.completedBy(number, len(c.activities)) && (i != quizPosition || answers < questionsOfQuiz) {
			continue
		}
		line.Completed = append(line.Completed, format.Completion{
			Activity: a.Title, At: format.At(at.Add(time.Duration(len(line.Completed)+1) * 20 * time.Minute)),
		})
	}
	g.write(line)
	g.answer(line, number, answers, c)
}

// answer writes answers to the quiz of the course, again from the first question
// when all are answered.
func (g *generator) answer(in format.Attempt, number, answers int, c course) {
	given := 0
	for attempt := 1; given < answers; attempt++ {
		at := in.StartedAt.Add(time.Duration(given+1) * time.Minute)
		line := format.QuizAttempt{
			Kind: format.QuizAttemptKind, Course: in.Course, Person: in.Person, Attempt: in.Number,
			Activity: c.activities[quizPosition].Title, Number: attempt, StartedAt: format.At(at),
		}
		for i := range min(questionsOfQuiz, answers-given) {
			chosen := choices(i)[g.pick(ofQuestion, number+given, len(choices(i)))]
			line.Answers = append(line.Answers, format.Answer{
				Question: i + 1, Response: chosen.Text, Correct: chosen.Correct,
				At: format.At(at.Add(time.Duration(given) * time.Second)),
			})
			given++
		}
		g.write(line)
	}
}
