package storetest

import (
	"fmt"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
)

// newQuiz returns a quiz with the given number of questions without saving it. Each question has
// the correct choice Yes and the wrong choice No.
func (s tenant) newQuiz(name string, questions int) quiz.State {
	now := s.nextTime()
	q := quiz.State{ID: quiz.ID{UUID: s.ids.New()}, Name: name, CreatedAt: now, UpdatedAt: now}
	for i := range questions {
		q.Questions = append(q.Questions, quiz.Question{
			ID: quiz.QuestionID{UUID: s.ids.New()}, Key: fmt.Sprintf("question-%d", i+1), Text: fmt.Sprintf("%s, question %d?", firstOf(name, 200), i+1),
			Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}},
		})
	}
	return q
}

// addQuiz adds a quiz with a number of questions.
func (s tenant) addQuiz(name string, questions int) quiz.State {
	s.t.Helper()
	q := s.newQuiz(name, questions)
	s.save(q)
	return q
}

// newAssignment returns an assignment without saving it.
func (s tenant) newAssignment(title string) assignment.State {
	now := s.nextTime()
	return assignment.State{ID: assignment.ID{UUID: s.ids.New()}, Title: title, CreatedAt: now, UpdatedAt: now}
}

// addAssignment adds an assignment.
func (s tenant) addAssignment(title string) assignment.State {
	s.t.Helper()
	a := s.newAssignment(title)
	s.save(a)
	return a
}

// newActivity returns an activity of the course without saving it.
func (s tenant) newActivity(c course.ID, title string, content activity.Content) activity.State {
	now := s.nextTime()
	id := activity.ID{UUID: s.ids.New()}
	return activity.State{
		ID: id, Course: c, Slot: activity.Slot{Key: id.String(), Position: 1}, Title: title, Content: content,
		CreatedAt: now, UpdatedAt: now,
	}
}

// addActivity adds an activity to a course.
func (s tenant) addActivity(c course.ID, title string, content activity.Content) activity.State {
	s.t.Helper()
	a := s.newActivity(c, title, content)
	s.save(a)
	return a
}

// newAttempt returns a course attempt with the given 1-based number without saving it.
func (s tenant) newAttempt(p person.ID, c course.ID, number int) attempt.State {
	return attempt.State{ID: attempt.ID{UUID: s.ids.New()}, Person: p, Course: c, Number: number, StartedAt: s.nextTime()}
}

// addAttempt adds a course attempt with a number.
func (s tenant) addAttempt(p person.ID, c course.ID, number int) attempt.State {
	s.t.Helper()
	a := s.newAttempt(p, c, number)
	s.save(a)
	return a
}

// newQuizAttempt returns a quiz attempt without saving it. It has an answer to each of the first
// len(answers) questions, and each element of answers says whether that answer is correct.
func (s tenant) newQuizAttempt(
	in attempt.State, a activity.State, q quiz.State, number int, answers ...bool,
) quizattempt.State {
	r := quizattempt.State{
		ID: quizattempt.ID{UUID: s.ids.New()}, Person: in.Person, Course: in.Course, CourseAttempt: in.ID,
		CourseAttemptNumber: in.Number, Activity: a.ID, Quiz: q.ID, Number: number, StartedAt: s.nextTime(),
	}
	for i, right := range answers {
		r.Answers = append(r.Answers, s.newAnswer(q, i+1, right))
	}
	return graded(r, q)
}

// newAnswer returns an answer to the question of q with the given 1-based number. right says
// whether the answer is correct.
func (s tenant) newAnswer(q quiz.State, number int, right bool) quizattempt.Answer {
	g := quizattempt.Answer{
		Question: q.Questions[number-1].ID, Position: quiz.Position{Number: number, Total: len(q.Questions)},
		Response: "No", Correct: right, At: s.nextTime(),
	}
	if right {
		g.Response = "Yes"
	}
	return g
}

// graded returns r with the score computed from its answers.
func graded(r quizattempt.State, q quiz.State) quizattempt.State {
	run := quizattempt.Restore(r)
	run.UpdateScore(quiz.Restore(q).ActiveQuestions())
	return run.State()
}

// newSubmission returns a submission for the assignment of the activity without saving it.
func (s tenant) newSubmission(in attempt.State, a activity.State) submission.Submission {
	return submission.Submission{
		ID: submission.ID{UUID: s.ids.New()}, Assignment: a.Content.Assignment, Activity: a.ID, Course: in.Course,
		Person: in.Person, CourseAttempt: in.ID,
		File: submission.File{Name: "Essay.pdf", MediaType: "application/pdf", Size: 1234}, CreatedAt: s.nextTime(),
	}
}

// watched returns the event that a person watched the given fraction of a video.
func watched(p person.ID, a activity.ID, part event.Fraction) event.Event {
	return event.Event{Kind: event.ViewedVideo, Person: p, Activity: a, Watched: &part}
}

// courseFixture is a course with an activity of each kind, and a learner who has started it.
type courseFixture struct {
	course                                        course.State
	learner                                       person.State
	enrollment                                    enrollment.Enrollment
	quiz                                          quiz.State // has three questions
	assignment                                    assignment.State
	text, video, quizActivity, assignmentActivity activity.State
	attempt                                       attempt.State
}

// newCourseFixture saves a course with its activities and one learner. All names and the learner's
// email address contain mark, so that a school can have several fixtures.
func newCourseFixture(s tenant, mark string) courseFixture {
	s.t.Helper()
	l := courseFixture{
		course: s.newCourse("Lesson " + mark), learner: s.newPerson("pupil-" + mark + "@example.test"),
		quiz: s.newQuiz("Quiz "+mark, 3), assignment: s.newAssignment("Paper " + mark),
	}
	l.enrollment = s.newEnrollment(l.learner.ID, l.course.ID, enrollment.Learner)
	l.text = s.newActivity(l.course.ID, "Text "+mark, activity.TextContent())
	l.video = s.newActivity(l.course.ID, "Video "+mark, activity.VideoContent(90*time.Second))
	l.quizActivity = s.newActivity(l.course.ID, "Test "+mark, activity.QuizContent(l.quiz.ID))
	l.assignmentActivity = s.newActivity(l.course.ID, "Essay "+mark, activity.AssignmentContent(l.assignment.ID))
	l.attempt = s.newAttempt(l.learner.ID, l.course.ID, 1)
	s.save(l.course, l.learner, l.enrollment, l.quiz, l.assignment, l.text, l.video, l.quizActivity, l.assignmentActivity, l.attempt)
	return l
}

// addLearner adds another learner, who has started the course.
func (l courseFixture) addLearner(s tenant, email string) attempt.State {
	s.t.Helper()
	p := s.newPerson(email)
	a := s.newAttempt(p.ID, l.course.ID, 1)
	s.save(p, s.newEnrollment(p.ID, l.course.ID, enrollment.Learner), a)
	return a
}
