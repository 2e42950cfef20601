package courses

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/event"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// structureOf returns the structure of a course. It checks that a reader and a transaction return
// the same structure.
func structureOf(s fixture.Tenant, c course.ID) structure.Structure {
	s.T.Helper()
	is := is.New(s.T)
	got, err := s.Read().Structures.Get(s.Context(), c)
	is.NoErr(err)
	inside, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (structure.Structure, error) {
		return tx.Structures.GetForUpdate(ctx, c, nil, nil)
	})
	is.NoErr(err)
	is.Equal(fixture.Diff(inside, got), "")
	return got
}

// planOf returns a plan that leaves s unchanged.
func planOf(s structure.Structure) structure.Plan {
	var p structure.Plan
	for _, a := range s.Activities {
		one := structure.Activity{Key: a.Key, Title: a.Title, Kind: a.Content.Kind.String()}
		if seconds := int64(a.Content.Duration / time.Second); seconds > 0 {
			one.Duration = &seconds
		}
		if q, ok := s.Quizzes[a.Content.Quiz]; ok {
			one.Quiz = &structure.Quiz{ID: q.ID, Defined: true, Name: q.Name}
			for _, question := range q.Questions {
				question.ID = quiz.QuestionID{}
				one.Quiz.Questions = append(one.Quiz.Questions, question)
			}
		}
		if w, ok := s.Assignments[a.Content.Assignment]; ok {
			one.Assignment = &structure.Assignment{ID: w.ID, Defined: true, Title: w.Title}
		}
		p.Activities = append(p.Activities, one)
	}
	return p
}

// revise applies the plan to the course.
func revise(s fixture.Tenant, c course.ID, p structure.Plan) (structure.Revision, error) {
	s.T.Helper()
	now := s.NextTime()
	return fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (structure.Revision, error) {
		return applyPlan(ctx, tx, s, now, c, p)
	})
}

// applyPlan applies the plan to the course in the transaction.
func applyPlan(
	ctx context.Context, tx ports.Tx, s fixture.Tenant, now time.Time, c course.ID, p structure.Plan,
) (structure.Revision, error) {
	r, err := revisionOf(ctx, tx, s, now, c, p)
	if err != nil {
		return r, err
	}
	return r, fixture.SaveRevision(ctx, tx, r)
}

// revisionOf returns the revision that applies the plan to the course.
func revisionOf(
	ctx context.Context, tx ports.Tx, s fixture.Tenant, now time.Time, c course.ID, p structure.Plan,
) (structure.Revision, error) {
	quizzes, assignments := p.ReferencedIDs()
	was, err := tx.Structures.GetForUpdate(ctx, c, quizzes, assignments)
	if err != nil {
		return structure.Revision{}, err
	}
	activities, quizzes := was.UsageNeeded(p)
	usage, err := tx.Structures.Usage(ctx, activities, quizzes)
	if err != nil {
		return structure.Revision{}, err
	}
	return was.Revise(p, usage, s.IDs.New, now)
}

func mustRevise(s fixture.Tenant, c course.ID, p structure.Plan) structure.Revision {
	s.T.Helper()
	r, err := revise(s, c, p)
	is.New(s.T).NoErr(err)
	return r
}

// Structures tests ports.StructureReader and ports.StructureRepo.
func Structures(t *testing.T, b fixture.Backend) {
	t.Run("Get and GetForUpdate return the structure of the course, NotFound for an unknown course", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		fixture.NewCourseFixture(w.Tenant, "two")
		w.Save(w.NewActivity(w.AddCourse("Other").ID, "A", activity.QuizContent(l.Quiz.ID)))
		got := structureOf(w.Tenant, l.Course.ID)
		is.Equal(fixture.Diff(got, structure.New(
			l.Course.ID, []activity.State{l.QuizActivity, l.Video, l.AssignmentActivity, l.Text}, map[quiz.ID]quiz.State{l.Quiz.ID: l.Quiz},
			map[assignment.ID]assignment.State{l.Assignment.ID: l.Assignment},
		)), "")
		empty := w.AddCourse("Empty").ID
		is.Equal(len(structureOf(w.Tenant, empty).Activities), 0)
		_, err := w.Read().Structures.Get(w.Context(), w.NewCourse("None").ID)
		is.True(fixture.IsNotFound(err))
		_, err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (structure.Structure, error) {
			return tx.Structures.GetForUpdate(ctx, w.NewCourse("None").ID, nil, nil)
		})
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Save returns how many attempts it has updated", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, other := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		w.Save(
			attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: w.NextTime()},
			attempt.Completion{Attempt: other.Attempt.ID, Activity: other.Text.ID, At: w.NextTime()},
			w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, true, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, true),
			w.NewQuizAttempt(other.Attempt, other.QuizActivity, other.Quiz, 1, true),
		)
		changed := func(change func(p *structure.Plan)) int {
			p := planOf(structureOf(w.Tenant, l.Course.ID))
			change(&p)
			now := w.NextTime()
			n, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (int, error) {
				r, err := revisionOf(ctx, tx, w.Tenant, now, l.Course.ID, p)
				if err != nil {
					return 0, err
				}
				return tx.Structures.Save(ctx, r)
			})
			is.NoErr(err)
			return n
		}
		rename := func(p *structure.Plan) { p.Activities[0].Title = "Renamed" }
		shorten := func(p *structure.Plan) { // removes an activity without a completion
			p.Activities = slices.DeleteFunc(p.Activities, func(a structure.Activity) bool { return a.Title == l.Video.Title })
		}
		ask := func(questions int) func(p *structure.Plan) {
			return func(p *structure.Plan) {
				for i := range p.Activities {
					if about := p.Activities[i].Quiz; about != nil {
						*about = structure.Quiz{ID: about.ID, Defined: true, Name: about.Name}
						for _, q := range l.Quiz.Questions[:questions] {
							q.ID = quiz.QuestionID{}
							about.Questions = append(about.Questions, q)
						}
					}
				}
			}
		}
		is.Equal(changed(rename), 0)
		is.Equal(changed(ask(2)), 2)                                           // the attempts at the quiz
		is.Equal(changed(shorten), 1)                                          // the attempt at the course
		is.Equal(changed(func(p *structure.Plan) { ask(1)(p); rename(p) }), 2) // each once
		is.Equal(changed(ask(1)), 0)
	})

	t.Run("GetForUpdate returns the named quizzes and assignments that exist", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, q, a := w.AddCourse("One").ID, w.AddQuiz("Quiz", 2), w.AddAssignment("Paper")
		got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (structure.Structure, error) {
			return tx.Structures.GetForUpdate(ctx, c, []quiz.ID{q.ID, w.NewQuiz("None", 1).ID, q.ID},
				[]assignment.ID{a.ID, w.NewAssignment("None").ID})
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(got.Quizzes, map[quiz.ID]quiz.State{q.ID: q}), "")
		is.Equal(fixture.Diff(got.Assignments, map[assignment.ID]assignment.State{a.ID: a}), "")
	})

	t.Run("Usage returns the activities with learner data and the quizzes that were started", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		viewed, done, tried, submitted, none := fixture.NewCourseFixture(w.Tenant, "a"), fixture.NewCourseFixture(w.Tenant, "b"),
			fixture.NewCourseFixture(w.Tenant, "c"), fixture.NewCourseFixture(w.Tenant, "d"), fixture.NewCourseFixture(w.Tenant, "e")
		view := event.NewView(viewed.Learner.ID, viewed.Text.ID)
		view.CreatedAt = w.NextTime()
		w.Save(
			view, attempt.Completion{Attempt: done.Attempt.ID, Activity: done.Video.ID, At: w.NextTime()},
			w.NewQuizAttempt(tried.Attempt, tried.QuizActivity, tried.Quiz, 1, true), w.NewSubmission(submitted.Attempt, submitted.AssignmentActivity),
		)
		var activities []activity.ID
		var quizzes []quiz.ID
		for _, l := range []fixture.CourseFixture{viewed, done, tried, submitted, none} {
			activities = append(activities, l.Text.ID, l.Video.ID, l.QuizActivity.ID, l.AssignmentActivity.ID)
			quizzes = append(quizzes, l.Quiz.ID)
		}
		ask := func(activities []activity.ID, quizzes []quiz.ID) structure.Usage {
			f, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (structure.Usage, error) {
				return tx.Structures.Usage(ctx, activities, quizzes)
			})
			is.NoErr(err)
			return f
		}
		is.Equal(fixture.Diff(ask(activities, quizzes), structure.Usage{
			Activities: map[activity.ID]bool{viewed.Text.ID: true, done.Video.ID: true, tried.QuizActivity.ID: true, submitted.AssignmentActivity.ID: true},
			Quizzes:    map[quiz.ID]bool{tried.Quiz.ID: true},
		}), "")
		f := ask(nil, nil)
		is.Equal(len(f.Activities)+len(f.Quizzes), 0)
	})

	t.Run("Save applies a revision and updates derived data", func(t *testing.T) { structureScenario(t, b) })

	t.Run("Save returns an error if a removed activity has learner data", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		w.Save(attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: w.NextTime()})
		before := w.All()
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			return fixture.SaveRevision(ctx, tx, structure.Revision{Removed: []activity.ID{l.Text.ID}})
		})
		is.True(err != nil)
		is.Equal(fixture.Diff(w.All(), before), "")
	})
}
