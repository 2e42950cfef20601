package lists

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// class contains people and courses with random names, the content of the courses, and the people's
// course attempts. Tests use it for lists whose rows show names of other records.
type class struct {
	fixture.Tenant
	rnd                  *rand.Rand
	texts                []string
	people               []*person.State // pointers, so that rename changes them
	courses              []course.State
	quizzes              []quiz.State
	papers               []assignment.State
	quizActivities       []activity.State // each uses one of the quizzes
	assignmentActivities []activity.State // each uses one of the assignments
	textActivities       []activity.State // texts and videos
	attempts             []attempt.State
}

// newClass saves a new class whose names are taken from texts.
func newClass(s fixture.Tenant, rnd *rand.Rand, texts []string) class {
	s.T.Helper()
	c := class{Tenant: s, rnd: rnd, texts: texts}
	var records []any
	mark := s.IDs.New() // a school can have several classes
	for i := range 6 {
		p := s.NewPerson(fmt.Sprintf("%s.%d-%s@Example.test", fixture.FirstOf(fixture.Pick(rnd, texts), 20), i, mark), c.randomNames())
		p.ID.UUID = randomID(rnd)
		c.people, records = append(c.people, &p), append(records, p)
	}
	for i := range 5 {
		o := s.NewCourse(fixture.Pick(rnd, texts), func(o *course.State) {
			o.ID.UUID, o.Permalink = randomID(rnd), fmt.Sprintf("class-%s-%d", mark, i)
		})
		c.courses, records = append(c.courses, o), append(records, o)
	}
	for i := range 4 {
		q, a := s.NewQuiz(fixture.Pick(rnd, texts), i+1), s.NewAssignment(fixture.Pick(rnd, texts))
		q.ID.UUID, a.ID.UUID = randomID(rnd), randomID(rnd)
		for j := range q.Questions {
			q.Questions[j].ID.UUID, q.Questions[j].Text = randomID(rnd), fixture.Pick(rnd, texts)+"?"
		}
		c.quizzes, c.papers, records = append(c.quizzes, q), append(c.papers, a), append(records, q, a)
	}
	for _, o := range c.courses {
		test := c.activity(o.ID, activity.QuizContent(fixture.Pick(rnd, c.quizzes).ID))
		essay := c.activity(o.ID, activity.AssignmentContent(fixture.Pick(rnd, c.papers).ID))
		text, video := c.activity(o.ID, activity.TextContent()), c.activity(o.ID, activity.VideoContent(time.Minute))
		c.quizActivities, c.assignmentActivities, c.textActivities = append(c.quizActivities, test), append(c.assignmentActivities, essay), append(c.textActivities, text, video)
		records = append(records, test, essay, text, video)
	}
	for _, p := range c.people {
		for _, o := range c.courses {
			for number := range rnd.IntN(4) {
				a := c.attempt(p.ID, o.ID, number+1)
				c.attempts, records = append(c.attempts, a), append(records, a)
			}
		}
	}
	s.Save(records...)
	return c
}

// randomNames gives a person zero, one or two random names.
func (c class) randomNames() func(*person.State) {
	return func(p *person.State) {
		p.FirstName, p.LastName = fixture.Pick(c.rnd, c.texts), fixture.Pick(c.rnd, c.texts)
		switch c.rnd.IntN(4) {
		case 0:
			p.FirstName = ""
		case 1:
			p.FirstName, p.LastName = "", "" // full_name is then the email address
		}
	}
}

// rename gives half of the people new names and email addresses. Tests call it after they have
// added the rows, so that lists must show the new names.
func (c class) rename() {
	c.T.Helper()
	c.Do(func(ctx context.Context, tx ports.Tx) error {
		for _, p := range c.people[:len(c.people)/2] {
			c.randomNames()(p)
			p.Email = "new." + p.Email
			if err := tx.People.Save(ctx, person.Restore(*p)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c class) activity(o course.ID, content activity.Content) activity.State {
	a := c.NewActivity(o, fixture.Pick(c.rnd, c.texts), content)
	a.ID.UUID, a.CreatedAt = randomID(c.rnd), fixture.Pick(c.rnd, moments)
	return a
}

// percents are values of progress in hundredths of a percent. They are few, so that rows often have
// the same progress.
var percents = []decimal.Percent{0, 1, 3333, 3334, 5000, 6667, 10000}

func (c class) attempt(p person.ID, o course.ID, number int) attempt.State {
	return attempt.State{
		ID: attempt.ID{UUID: randomID(c.rnd)}, Person: p, Course: o, Number: number, StartedAt: fixture.Pick(c.rnd, moments),
		Progress: fixture.Pick(c.rnd, percents), LastCompletedAt: maybe(c.rnd, moments),
	}
}

// addQuizAttempts adds random quiz attempts to the course attempts and returns them.
func (c class) addQuizAttempts() []quizattempt.State {
	c.T.Helper()
	var all []quizattempt.State
	var records []any
	for _, in := range c.attempts {
		for _, a := range c.quizActivities {
			if a.Course != in.Course {
				continue
			}
			q := c.quizOf(a)
			for number := range 1 + c.rnd.IntN(3) {
				r := c.NewQuizAttempt(in, a, q, number+1)
				r.ID.UUID = randomID(c.rnd)
				for i := range q.Questions {
					if i == 0 || c.rnd.IntN(3) > 0 {
						g := c.NewAnswer(q, i+1, c.rnd.IntN(2) == 0)
						g.At, g.Response = fixture.Pick(c.rnd, moments), fixture.Pick(c.rnd, c.texts)
						r.Answers = append(r.Answers, g)
					}
				}
				r = fixture.Graded(r, q)
				all, records = append(all, r), append(records, r)
			}
		}
	}
	c.Save(records...)
	return all
}

func (c class) person(id person.ID) *person.State {
	return *Find(c.people, func(p *person.State) bool { return p.ID == id })
}

func (c class) course(id course.ID) course.State {
	return *Find(c.courses, func(o course.State) bool { return o.ID == id })
}

func (c class) quizOf(a activity.State) quiz.State {
	return *Find(c.quizzes, func(q quiz.State) bool { return q.ID == a.Content.Quiz })
}

// Find returns a pointer to the first element that wanted accepts. It panics if there is none.
func Find[T any](all []T, wanted func(T) bool) *T {
	for i := range all {
		if wanted(all[i]) {
			return &all[i]
		}
	}
	panic("storetest: there is none")
}

// addEnrollments adds random enrollments, removes some of them, and returns the remaining
// enrollments.
func (c class) addEnrollments() []enrollment.Enrollment {
	c.T.Helper()
	var left, gone []enrollment.Enrollment
	for _, p := range c.people {
		for _, o := range c.courses {
			for _, role := range enrollment.Roles() {
				e := enrollment.Enrollment{
					ID: enrollment.ID{UUID: randomID(c.rnd)}, Person: p.ID, Course: o.ID, Role: role,
					CreatedAt: fixture.Pick(c.rnd, moments), UpdatedAt: fixture.Pick(c.rnd, moments),
				}
				if c.rnd.IntN(4) == 0 {
					gone = append(gone, e)
				} else {
					left = append(left, e)
				}
			}
		}
	}
	c.Do(func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Enrollments.AddIfAbsent(ctx, append(gone, left...)); err != nil {
			return err
		}
		for _, e := range gone {
			if _, err := tx.Enrollments.RemoveFromCourses(ctx, e.Person, e.Role, []course.ID{e.Course}); err != nil {
				return err
			}
		}
		return nil
	})
	return left
}
