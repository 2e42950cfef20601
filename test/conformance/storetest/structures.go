package storetest

import (
	"context"
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
)

// structureOf returns the structure of a course. It checks that a reader and a transaction return
// the same structure.
func (s tenant) structureOf(c course.ID) structure.Structure {
	s.t.Helper()
	is := is.New(s.t)
	got, err := s.read().Structures.Get(s.ctx(), c)
	is.NoErr(err)
	inside, err := inTx(s, func(ctx context.Context, tx ports.Tx) (structure.Structure, error) {
		return tx.Structures.GetForUpdate(ctx, c, nil, nil)
	})
	is.NoErr(err)
	is.Equal(diff(inside, got), "")
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
func (s tenant) revise(c course.ID, p structure.Plan) (structure.Revision, error) {
	s.t.Helper()
	now := s.nextTime()
	return inTx(s, func(ctx context.Context, tx ports.Tx) (structure.Revision, error) {
		return applyPlan(ctx, tx, s, now, c, p)
	})
}

// applyPlan applies the plan to the course in the transaction.
func applyPlan(
	ctx context.Context, tx ports.Tx, s tenant, now time.Time, c course.ID, p structure.Plan,
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
	r, err := was.Revise(p, usage, s.ids.New, now)
	if err != nil {
		return r, err
	}
	return r, tx.Structures.Save(ctx, r)
}

func (s tenant) mustRevise(c course.ID, p structure.Plan) structure.Revision {
	s.t.Helper()
	r, err := s.revise(c, p)
	is.New(s.t).NoErr(err)
	return r
}

// structures tests ports.StructureReader and ports.StructureRepo.
func structures(t *testing.T, b Backend) {
	t.Run("Get and GetForUpdate return the structure of the course, NotFound for an unknown course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		newCourseFixture(w.tenant, "two")
		w.save(w.newActivity(w.addCourse("Other").ID, "A", activity.QuizContent(l.quiz.ID)))
		got := w.structureOf(l.course.ID)
		is.Equal(diff(got, structure.New(
			l.course.ID, []activity.State{l.quizActivity, l.video, l.assignmentActivity, l.text}, map[quiz.ID]quiz.State{l.quiz.ID: l.quiz},
			map[assignment.ID]assignment.State{l.assignment.ID: l.assignment},
		)), "")
		empty := w.addCourse("Empty").ID
		is.Equal(len(w.structureOf(empty).Activities), 0)
		_, err := w.read().Structures.Get(w.ctx(), w.newCourse("None").ID)
		is.True(isNotFound(err))
		_, err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (structure.Structure, error) {
			return tx.Structures.GetForUpdate(ctx, w.newCourse("None").ID, nil, nil)
		})
		is.True(isNotFound(err))
	})

	t.Run("GetForUpdate returns the named quizzes and assignments that exist", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, q, a := w.addCourse("One").ID, w.addQuiz("Quiz", 2), w.addAssignment("Paper")
		got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (structure.Structure, error) {
			return tx.Structures.GetForUpdate(ctx, c, []quiz.ID{q.ID, w.newQuiz("None", 1).ID, q.ID},
				[]assignment.ID{a.ID, w.newAssignment("None").ID})
		})
		is.NoErr(err)
		is.Equal(diff(got.Quizzes, map[quiz.ID]quiz.State{q.ID: q}), "")
		is.Equal(diff(got.Assignments, map[assignment.ID]assignment.State{a.ID: a}), "")
	})

	t.Run("Usage returns the activities with learner data and the quizzes that were started", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		viewed, done, tried, submitted, none := newCourseFixture(w.tenant, "a"), newCourseFixture(w.tenant, "b"),
			newCourseFixture(w.tenant, "c"), newCourseFixture(w.tenant, "d"), newCourseFixture(w.tenant, "e")
		view := event.NewView(viewed.learner.ID, viewed.text.ID)
		view.CreatedAt = w.nextTime()
		w.save(
			view, attempt.Completion{Attempt: done.attempt.ID, Activity: done.video.ID, At: w.nextTime()},
			w.newQuizAttempt(tried.attempt, tried.quizActivity, tried.quiz, 1, true), w.newSubmission(submitted.attempt, submitted.assignmentActivity),
		)
		var activities []activity.ID
		var quizzes []quiz.ID
		for _, l := range []courseFixture{viewed, done, tried, submitted, none} {
			activities = append(activities, l.text.ID, l.video.ID, l.quizActivity.ID, l.assignmentActivity.ID)
			quizzes = append(quizzes, l.quiz.ID)
		}
		ask := func(activities []activity.ID, quizzes []quiz.ID) structure.Usage {
			f, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (structure.Usage, error) {
				return tx.Structures.Usage(ctx, activities, quizzes)
			})
			is.NoErr(err)
			return f
		}
		is.Equal(diff(ask(activities, quizzes), structure.Usage{
			Activities: map[activity.ID]bool{viewed.text.ID: true, done.video.ID: true, tried.quizActivity.ID: true, submitted.assignmentActivity.ID: true},
			Quizzes:    map[quiz.ID]bool{tried.quiz.ID: true},
		}), "")
		f := ask(nil, nil)
		is.Equal(len(f.Activities)+len(f.Quizzes), 0)
	})

	t.Run("Save applies a revision and updates derived data", func(t *testing.T) { structureScenario(t, b) })

	t.Run("Save returns an error if a removed activity has learner data", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		w.save(attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: w.nextTime()})
		before := w.all()
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			return tx.Structures.Save(ctx, structure.Revision{Removed: []activity.ID{l.text.ID}})
		})
		is.True(err != nil)
		is.Equal(diff(w.all(), before), "")
	})
}
