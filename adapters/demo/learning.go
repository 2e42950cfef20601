package demo

import (
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
)

// answersOfLearner is the approximate number of answers of each enrollment that has answers.
const answersOfLearner = 4

// course returns the index of the k-th course of the n-th learner.
func (g *generator) course(n, k int) int {
	return (g.pick(ofEnrollment, n, g.Courses) + k*g.stride%g.Courses) % g.Courses
}

// learning writes the memberships, enrollments and attempts of each learner.
func (g *generator) learning() {
	for n := range g.learners() {
		courses, number := portion(g.Enrollments, g.learners(), n)
		g.join(n, courses)
		for k := range courses {
			g.enroll(n, number+k, g.courses[g.course(n, k)])
		}
	}
}

// join adds the n-th learner, who takes the given number of courses, to groups: first to groups
// that contain one of these courses, then to groups without courses. Every member is thus enrolled
// in the courses of their groups.
func (g *generator) join(n, courses int) {
	left, _ := portion(g.Memberships, g.learners(), n)
	at := format.NewInstant(g.createdAt(enrollablePerson(n)).Add(time.Hour))
	add := func(group int) {
		g.write(format.Membership{
			Kind: format.MembershipKind, Group: g.group(group), Person: g.Email(enrollablePerson(n)),
			Role: membership.Member.String(), CreatedAt: at,
		})
		left--
	}
	reserved := left / 2 // memberships in groups without a course
	for k := 0; k < courses && left > reserved; k++ {
		for group := 2*g.course(n, k) + 1; group < g.Groups && left > reserved; group += 2 * g.Courses {
			add(group)
		}
	}
	for first, j := g.pick(ofGroup, n, max(g.openGroups(), 1)), 0; left > 0; j++ {
		add(2 * ((first + j) % g.openGroups()))
	}
}

// enroll writes the enrollment with the given number and the attempt of the n-th learner in
// the course.
func (g *generator) enroll(n, number int, c course) {
	email, at := g.Email(enrollablePerson(n)), g.createdAt(enrollablePerson(n)).Add(24*time.Hour)
	g.write(format.Enrollment{
		Kind: format.EnrollmentKind, Course: c.permalink, Person: email,
		Role: enrollment.Learner.String(), CreatedAt: format.NewInstant(at),
	})
	if g.started(number) {
		g.attempt(email, at, number, c)
	}
}

// answersOf returns the number of answers of the enrollment with the given number. Enrollments with
// answers are spread evenly and have about the same number of answers.
func (g *generator) answersOf(number int) int {
	if g.Answers == 0 {
		return 0
	}
	busy := min(g.Enrollments, (g.Answers+answersOfLearner-1)/answersOfLearner)
	n := number * busy / g.Enrollments
	if (number+1)*busy/g.Enrollments == n {
		return 0
	}
	own, _ := portion(g.Answers, busy, n)
	return own
}

// completedBy returns how many activities, from the first one on, are completed in the attempt of
// the enrollment with the given number. activities is the number of activities of the course.
func (g *generator) completedBy(number, activities int) int {
	return g.pick(ofActivity, number, activities+1)
}

// started reports whether the enrollment with the given number has an attempt.
func (g *generator) started(number int) bool {
	return g.answersOf(number) > 0 || g.submits(number) || g.randomBits(ofAttempt, number)%2 == 0
}

// attempt writes the attempt of an enrollment: the first activities of the course are completed and
// some questions of its quiz are answered. If all questions are answered, the quiz is completed
// too.
func (g *generator) attempt(email string, enrolled time.Time, number int, c course) {
	at := enrolled.Add(time.Duration(1+g.pick(ofAttempt, number, 48)) * time.Hour)
	answers := g.answersOf(number)
	line := format.Attempt{
		Kind: format.AttemptKind, Course: c.permalink, Person: email, Number: 1, StartedAt: format.NewInstant(at),
	}
	for i, a := range c.activities {
		done := i < g.completedBy(number, len(c.activities)) || i == quizPosition && answers >= questionsOfQuiz ||
			i == assignmentPosition && g.submits(number)
		if !done {
			continue
		}
		line.Completed = append(line.Completed, format.Completion{
			Activity: a.Title, At: format.NewInstant(at.Add(time.Duration(len(line.Completed)+1) * 20 * time.Minute)),
		})
	}
	g.write(line)
	g.answer(line, number, answers, c)
	if g.submits(number) {
		g.submit(line, c)
	}
}

// submits reports whether the enrollment with the given number has a submission. Such enrollments
// are spread evenly.
func (g *generator) submits(number int) bool {
	return (number+1)*g.Submissions/max(g.Enrollments, 1) > number*g.Submissions/max(g.Enrollments, 1)
}

// submit writes a submission of the assignment of the course, with a short text as its file.
func (g *generator) submit(in format.Attempt, c course) {
	task := c.activities[assignmentPosition].Title
	g.write(format.Submission{
		Kind: format.SubmissionKind, Course: in.Course, Person: in.Person, Attempt: in.Number, Activity: task,
		Name: "my-work.txt", MediaType: "text/plain", Text: task + "\n\nHere is what I have done, and what I have learned from it.\n",
		CreatedAt: format.NewInstant(in.StartedAt.Add(2 * time.Hour)),
	})
}

// answer writes answers to the quiz of the course. After the last question a new quiz attempt
// starts with the first question.
func (g *generator) answer(in format.Attempt, number, answers int, c course) {
	given := 0
	for attempt := 1; given < answers; attempt++ {
		at := in.StartedAt.Add(time.Duration(given+1) * time.Minute)
		line := format.QuizAttempt{
			Kind: format.QuizAttemptKind, Course: in.Course, Person: in.Person, Attempt: in.Number,
			Activity: c.activities[quizPosition].Title, Number: attempt, StartedAt: format.NewInstant(at),
		}
		for i := range min(questionsOfQuiz, answers-given) {
			chosen := choices(i)[g.pick(ofQuestion, number+given, len(choices(i)))]
			line.Answers = append(line.Answers, format.Answer{
				Question: i + 1, Response: chosen.Text, Correct: chosen.Correct,
				At: format.NewInstant(at.Add(time.Duration(given) * time.Second)),
			})
			given++
		}
		g.write(line)
	}
}
