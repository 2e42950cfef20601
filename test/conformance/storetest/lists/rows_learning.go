package lists

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// writeEnrollments adds a class with enrollments. The progress of an enrollment as learner is the
// progress of the person's latest attempt.
func writeEnrollments(s fixture.Tenant, rnd *rand.Rand, texts []string) []enrollment.Summary {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	var rows []enrollment.Summary
	for _, e := range c.addEnrollments() {
		row := enrollment.Summary{Enrollment: e}
		if e.Role == enrollment.Learner {
			row.Progress = new(decimal.Percent)
			for _, a := range c.attempts { // the last attempt is the latest
				if a.Person == e.Person && a.Course == e.Course {
					*row.Progress = a.Progress
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// writeActivities adds an activity for each text to a few courses.
func writeActivities(s fixture.Tenant, rnd *rand.Rand, texts []string) []activity.State {
	s.T.Helper()
	var courses []course.ID
	for i := range 3 {
		courses = append(courses, s.AddCourse(fmt.Sprintf("Setting %s %d", s.IDs.New(), i)).ID)
	}
	q, a := s.AddQuiz("Setting", 1).ID, s.AddAssignment("Setting").ID
	var rows []activity.State
	var records []any
	for _, title := range texts {
		id := activity.ID{UUID: randomID(rnd)}
		row := activity.State{
			ID: id, Course: fixture.Pick(rnd, courses), Slot: activity.Slot{Key: id.String(), Position: rnd.IntN(9)}, Title: title,
			Content: fixture.Pick(rnd, []activity.Content{
				activity.TextContent(), activity.VideoContent(time.Hour), activity.QuizContent(q), activity.AssignmentContent(a),
			}),
			ArchivedAt: maybe(rnd, moments), CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
		}
		rows, records = append(rows, row), append(records, row)
	}
	s.Save(records...)
	return rows
}

// writeQuizzes adds a quiz for each text. Activities use some of them.
func writeQuizzes(s fixture.Tenant, rnd *rand.Rand, texts []string) []quiz.Summary {
	s.T.Helper()
	one := s.AddCourse("Setting " + s.IDs.New().String()).ID
	var rows []quiz.Summary
	var records []any
	for _, name := range texts {
		q := s.NewQuiz(name, 1+rnd.IntN(3))
		q.ID.UUID, q.CreatedAt, q.UpdatedAt = randomID(rnd), fixture.Pick(rnd, moments), fixture.Pick(rnd, moments)
		row := quiz.Summary{ID: q.ID, Name: name, CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt}
		records = append(records, q)
		for range rnd.IntN(3) {
			a := s.NewActivity(one, name, activity.QuizContent(q.ID))
			a.ID.UUID = randomID(rnd)
			row.Activities, records = append(row.Activities, a.ID), append(records, a)
		}
		slices.SortFunc(row.Activities, func(a, b activity.ID) int { return bytes.Compare(a.UUID[:], b.UUID[:]) })
		rows = append(rows, row)
	}
	s.Save(records...)
	return rows
}

// writeAssignments adds an assignment for each text.
func writeAssignments(s fixture.Tenant, rnd *rand.Rand, texts []string) []assignment.State {
	s.T.Helper()
	var rows []assignment.State
	var records []any
	for _, title := range texts {
		row := assignment.State{
			ID: assignment.ID{UUID: randomID(rnd)}, Title: title, CreatedAt: fixture.Pick(rnd, moments), UpdatedAt: fixture.Pick(rnd, moments),
		}
		rows, records = append(rows, row), append(records, row)
	}
	s.Save(records...)
	return rows
}

// writeSubmissions adds a few submissions to each attempt of a class and then renames some of the
// people.
func writeSubmissions(s fixture.Tenant, rnd *rand.Rand, texts []string) []submission.Summary {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	var rows []submission.Summary
	var records []any
	for _, in := range c.attempts {
		essay := *Find(c.assignmentActivities, func(a activity.State) bool { return a.Course == in.Course })
		for range rnd.IntN(4) {
			n := s.NewSubmission(in, essay)
			n.ID.UUID, n.CreatedAt = randomID(rnd), fixture.Pick(rnd, moments)
			n.File = submission.File{Name: fixture.Pick(rnd, texts), MediaType: "text/plain", Size: rnd.Int64N(1 << 40)}
			rows, records = append(rows, submission.Summary{Submission: n}), append(records, n)
		}
	}
	s.Save(records...)
	c.rename()
	for i := range rows {
		r, p := &rows[i], c.person(rows[i].Person)
		r.PersonName, r.PersonEmail, r.CourseName = p.FullName(), p.Email, c.course(r.Course).Name
		r.AssignmentTitle = Find(c.papers, func(a assignment.State) bool { return a.ID == r.Assignment }).Title
	}
	return rows
}

// writeEvents appends events of a class, one to four in each transaction. All events of a
// transaction have the same time, which is later than the time of the last event before.
func writeEvents(s fixture.Tenant, rnd *rand.Rand, texts []string) []event.Event {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	last := moments[0].Add(-time.Millisecond) // the events of a second class come after the events of the first class
	for _, e := range fixture.RowsOf(s, s.Read().Events) {
		last = e.CreatedAt
	}
	var rows []event.Event
	instants := slices.Repeat(moments, 4)
	slices.SortFunc(instants, time.Time.Compare)
	for _, at := range instants {
		if !at.After(last) {
			at = last.Add(time.Millisecond)
		}
		last = at
		var some []event.Event
		for range 1 + rnd.IntN(4) {
			a := fixture.Pick(rnd, c.textActivities)
			e := event.NewView(fixture.Pick(rnd, c.people).ID, a.ID)
			if a.Content.Kind == activity.Video && rnd.IntN(3) > 0 {
				e = fixture.Watched(e.Person, a.ID, fixture.Pick(rnd, []event.Fraction{0, 1, 333_333, 500_000, 1_000_000}))
			}
			if rnd.IntN(3) == 0 {
				e.OccurredAt = maybe(rnd, moments)
				e.ClientID = fixture.Pick(rnd, []string{"Id-", "id-", "%_", `\'`}) + s.IDs.New().String()
			}
			some = append(some, e)
		}
		var kept []event.Event
		s.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			kept, err = tx.Events.Append(ctx, slices.Clone(some), at)
			return err
		})
		for i, e := range some {
			e.CreatedAt, e.Position = at, kept[i].Position // generated by the store
			rows = append(rows, e)
		}
	}
	return rows
}

// writeCourseAnalytics adds a class with attempts and enrollments, and then renames some of the
// people. It returns a row for each attempt of an enrolled learner, and one row for a learner
// without attempts.
func writeCourseAnalytics(s fixture.Tenant, rnd *rand.Rand, texts []string) []analytics.CourseProgress {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	enrolled := c.addEnrollments()
	c.rename()
	var rows []analytics.CourseProgress
	for _, e := range enrolled {
		if e.Role != enrollment.Learner {
			continue
		}
		p := c.person(e.Person)
		row := analytics.CourseProgress{
			Person: e.Person, Course: e.Course, EnrolledAt: e.CreatedAt,
			PersonName: p.FullName(), PersonEmail: p.Email, CourseName: c.course(e.Course).Name,
		}
		none := true
		for _, a := range c.attempts {
			if a.Person == e.Person && a.Course == e.Course {
				none = false
				row.Attempt, row.Progress, row.LastActivityCompletedAt = a.ID, a.Progress, a.LastCompletedAt
				rows = append(rows, row)
			}
		}
		if none {
			rows = append(rows, row)
		}
	}
	return rows
}

// writeScores adds quiz attempts of a class. The store generates the ids of scores, so the expected
// rows contain the ids that the list returns. Package learning tests the ids.
func writeScores(s fixture.Tenant, rnd *rand.Rand, texts []string) []analytics.QuizScore {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	runs := c.addQuizAttempts()
	c.addEnrollments()
	c.rename()
	type place struct {
		in attempt.ID
		a  activity.ID
	}
	given := map[place]int64{}
	for _, row := range fixture.RowsOf(s, s.Read().QuizScores) {
		given[place{row.CourseAttempt, row.Activity}] = row.ID
	}
	var rows []analytics.QuizScore
	for i, r := range runs {
		if i+1 < len(runs) && runs[i+1].CourseAttempt == r.CourseAttempt && runs[i+1].Activity == r.Activity {
			continue // not the latest quiz attempt
		}
		p, a := c.person(r.Person), c.quizActivityOf(r)
		rows = append(rows, analytics.QuizScore{
			ID: given[place{r.CourseAttempt, r.Activity}], Person: r.Person, Course: r.Course,
			CourseAttempt: r.CourseAttempt, CourseAttemptNumber: r.CourseAttemptNumber, Activity: r.Activity, Quiz: r.Quiz, Score: r.Score,
			PersonName: p.FullName(), PersonEmail: p.Email, CourseName: c.course(r.Course).Name,
			QuizName: c.quizOf(a).Name, ActivityTitle: a.Title,
		})
	}
	return rows
}

// quizActivityOf returns the activity of a quiz attempt.
func (c class) quizActivityOf(r quizattempt.State) activity.State {
	return *Find(c.quizActivities, func(a activity.State) bool { return a.ID == r.Activity })
}

// writeAnswers adds a class with quiz attempts and returns a row for each answer.
func writeAnswers(s fixture.Tenant, rnd *rand.Rand, texts []string) []analytics.RawAnswer {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	c.attempts = c.attempts[:len(c.attempts)/2] // fewer attempts, because each has many answers
	runs := c.addQuizAttempts()
	c.addEnrollments()
	c.rename()
	var rows []analytics.RawAnswer
	for _, r := range runs {
		p, a := c.person(r.Person), c.quizActivityOf(r)
		for _, g := range r.Answers {
			rows = append(rows, analytics.RawAnswer{
				QuizAttempt: r.ID, Answer: g, Position: g.Position, Person: r.Person, Course: r.Course, CourseAttemptNumber: r.CourseAttemptNumber,
				Activity: r.Activity, Quiz: r.Quiz, PersonName: p.FullName(), PersonEmail: p.Email,
				CourseName: c.course(r.Course).Name, QuizName: c.quizOf(a).Name, ActivityTitle: a.Title,
				QuestionText: c.quizOf(a).Questions[g.Position.Number-1].Text,
			})
		}
	}
	return rows
}

// writeQuizAttempts adds quiz attempts of a class.
func writeQuizAttempts(s fixture.Tenant, rnd *rand.Rand, texts []string) []analytics.QuizAttempt {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	runs := c.addQuizAttempts()
	c.addEnrollments()
	c.rename()
	var rows []analytics.QuizAttempt
	for _, r := range runs {
		p, a, row := c.person(r.Person), c.quizActivityOf(r), analytics.NewQuizAttempt(r)
		row.PersonName, row.PersonEmail, row.CourseName = p.FullName(), p.Email, c.course(r.Course).Name
		row.QuizName, row.ActivityTitle = c.quizOf(a).Name, a.Title
		rows = append(rows, row)
	}
	return rows
}

// writeCompletions completes random activities in the attempts of a class and then renames some of
// the people.
func writeCompletions(s fixture.Tenant, rnd *rand.Rand, texts []string) []analytics.Completion {
	s.T.Helper()
	c := newClass(s, rnd, texts)
	var rows []analytics.Completion
	var records []any
	for _, in := range c.attempts {
		for _, a := range slices.Concat(c.quizActivities, c.assignmentActivities, c.textActivities) {
			if a.Course != in.Course || rnd.IntN(3) == 0 {
				continue
			}
			done := attempt.Completion{Attempt: in.ID, Activity: a.ID, At: fixture.Pick(rnd, moments)}
			rows, records = append(rows, analytics.Completion{
				Completion: done, Person: in.Person, Course: in.Course, CourseAttemptNumber: in.Number, ActivityTitle: a.Title,
			}), append(records, done)
		}
	}
	s.Save(records...)
	c.rename()
	for i := range rows {
		r, p := &rows[i], c.person(rows[i].Person)
		r.PersonName, r.PersonEmail, r.CourseName = p.FullName(), p.Email, c.course(r.Course).Name
	}
	return rows
}
