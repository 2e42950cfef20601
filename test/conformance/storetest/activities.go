package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

// inTx runs fn in a transaction of the school and returns its result.
func inTx[T any](s tenant, fn func(ctx context.Context, tx ports.Tx) (T, error)) (T, error) {
	s.t.Helper()
	var got T
	err := s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		got, err = fn(ctx, tx)
		return err
	})
	return got, err
}

// trySave adds one record in its own transaction.
func (s tenant) trySave(record any) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return add(ctx, tx, record) })
}

// mustReject checks that adding the record fails with an error that is not a fault, and that
// nothing is saved.
func (s tenant) mustReject(record any) {
	s.t.Helper()
	is := is.New(s.t)
	before := s.all()
	err := s.trySave(record)
	is.True(err != nil)
	is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
	is.Equal(diff(s.all(), before), "")
}

// film is the content of a video with an address.
var film = activity.Content{Kind: activity.Video, Duration: time.Minute, VideoURL: "https://media.example.test/a.mp4?b=ω"}

// activities tests ports.ActivityReader and ports.ActivityRepo.
func activities(t *testing.T, b Backend) {
	t.Run("Get returns the activity, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		for _, want := range []activity.State{l.text, l.video, l.quizActivity, l.assignmentActivity} {
			got, err := w.read().Activities.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
			got, err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (activity.State, error) {
				return tx.Activities.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		_, err := w.read().Activities.Get(w.ctx(), w.newActivity(l.course.ID, "None", activity.TextContent()).ID)
		is.True(isNotFound(err))
	})

	t.Run("GetManyForShare returns the activities by id and omits unknown ids", func(t *testing.T) {
		w := newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		none := w.newActivity(l.course.ID, "None", activity.TextContent()).ID
		tests := []struct {
			name string
			ids  []activity.ID
			want []activity.State
		}{
			{"no ids", nil, nil},
			{"one", []activity.ID{l.video.ID}, []activity.State{l.video}},
			{"several", []activity.ID{l.assignmentActivity.ID, l.text.ID}, []activity.State{l.assignmentActivity, l.text}},
			{"one id twice", []activity.ID{l.text.ID, l.quizActivity.ID, l.text.ID}, []activity.State{l.text, l.quizActivity}},
			{"an unknown id", []activity.ID{none, l.text.ID}, []activity.State{l.text}},
			{"only unknown ids", []activity.ID{none}, nil},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is, ids := is.New(t), slices.Clone(tt.ids)
				got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (map[activity.ID]activity.State, error) {
					found, err := tx.Activities.GetManyForShare(ctx, ids)
					states := map[activity.ID]activity.State{}
					for id, a := range found {
						states[id] = a.State()
					}
					return states, err
				})
				is.NoErr(err)
				want := map[activity.ID]activity.State{}
				for _, a := range tt.want {
					want[a.ID] = a
				}
				is.Equal(diff(got, want), "")
				is.Equal(ids, tt.ids) // the argument is not modified
			})
		}
	})

	t.Run("Get, structures and snapshots return texts, List and GetManyForShare do not", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, film := w.addCourse("Drawing"), film
		film.Text = "# Light\n\n\t*and* " + strings.Repeat("ω", activity.MaxText/4)
		want := w.addActivity(c.ID, "Film", film)
		got, err := w.read().Activities.Get(w.ctx(), want.ID)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		is.Equal(diff(w.structureOf(c.ID).Activities, []activity.State{want}), "")
		is.NoErr(w.store.Snapshot(w.ctx(), w.id, func(ctx context.Context, s ports.Snapshot) error {
			return s.Activities(ctx, func(a activity.State) error {
				is.Equal(diff(a, want), "")
				return nil
			})
		}))
		lean := want.WithoutText()
		is.Equal(diff(w.all().Activities, []activity.State{lean}), "")
		shared, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (activity.State, error) {
			found, err := tx.Activities.GetManyForShare(ctx, []activity.ID{want.ID})
			is.Equal(diff(rowsOf(w.tenant, tx.Activities), []activity.State{lean}), "")
			return found[want.ID].State(), err
		})
		is.NoErr(err)
		is.Equal(diff(shared, lean), "")
	})

	t.Run("Save of a structure inserts activities of each kind", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, q, a := w.addCourse("Drawing"), w.addQuiz("Quiz", 1), w.addAssignment("Paper")
		want := []activity.State{
			w.newActivity(c.ID, "A", activity.TextContent()), w.newActivity(c.ID, "B", activity.VideoContent(activity.MaxDuration)),
			w.newActivity(c.ID, "C", activity.VideoContent(time.Second)), w.newActivity(c.ID, "D", activity.QuizContent(q.ID)),
			w.newActivity(c.ID, "E", activity.AssignmentContent(a.ID)),
			w.newActivity(c.ID, "F", film),
		}
		for _, one := range want {
			is.NoErr(w.trySave(one))
		}
		is.Equal(diff(w.all().Activities, want), "")
	})

	t.Run("Save of a structure returns an error for an unknown course, quiz or assignment", func(t *testing.T) {
		w := newWorld(t, b)
		c := w.addCourse("Drawing")
		w.mustReject(w.newActivity(w.newCourse("Singing").ID, "A", activity.TextContent()))
		w.mustReject(w.newActivity(c.ID, "A", activity.QuizContent(w.newQuiz("Quiz", 1).ID)))
		w.mustReject(w.newActivity(c.ID, "A", activity.AssignmentContent(w.newAssignment("Paper").ID)))
	})

	t.Run("Adding an activity to a course lowers the progress", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		w.save(attempt.Completion{Attempt: l.attempt.ID, Activity: l.text.ID, At: w.nextTime()})
		is.Equal(w.tallyOf(l.attempt.ID).Activities, 4)
		w.addActivity(l.course.ID, "More", activity.TextContent())
		is.Equal(w.tallyOf(l.attempt.ID).Activities, 5)
	})
}

// quizzes tests ports.QuizReader and ports.QuizRepo.
func quizzes(t *testing.T, b Backend) {
	t.Run("Get returns the quiz, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		q, other, c := w.addQuiz("Spelling", 2), w.addQuiz("Sums", 1), w.addCourse("Drawing")
		want := quiz.Summary{ID: q.ID, Name: q.Name, CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt}
		get := func(id quiz.ID) quiz.Summary {
			got, err := w.read().Quizzes.Get(w.ctx(), id)
			is.NoErr(err)
			inside, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (quiz.Summary, error) {
				return tx.Quizzes.Get(ctx, id)
			})
			is.NoErr(err)
			is.Equal(diff(inside, got), "")
			return got
		}
		is.Equal(diff(get(q.ID), want), "")
		first, second := w.newActivity(c.ID, "Z", activity.QuizContent(q.ID)), w.newActivity(c.ID, "A", activity.QuizContent(q.ID))
		w.save(second, first, w.newActivity(c.ID, "B", activity.TextContent()))
		want.Activities = []activity.ID{first.ID, second.ID} // ordered by id
		is.Equal(diff(get(q.ID), want), "")
		is.Equal(len(get(other.ID).Activities), 0)
		_, err := w.read().Quizzes.Get(w.ctx(), w.newQuiz("None", 1).ID)
		is.True(isNotFound(err))
	})

	t.Run("WithQuestions returns the quiz with all its questions, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		q := w.newQuiz("Spelling", 3)
		q.Archived = w.newQuiz("Old", 2).Questions
		q.Archived[0].Key, q.Archived[1].Key = "old-1", "old-2"
		w.save(q)
		w.addQuiz("Sums", 1)
		got, err := w.read().Quizzes.WithQuestions(w.ctx(), q.ID)
		is.NoErr(err)
		is.Equal(diff(got, q), "")
		inside, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (quiz.State, error) {
			return tx.Quizzes.WithQuestions(ctx, q.ID)
		})
		is.NoErr(err)
		is.Equal(diff(inside, q), "")
		got.Questions[0].Choices[0].Text = "changed by the caller"
		again, err := w.read().Quizzes.WithQuestions(w.ctx(), q.ID)
		is.NoErr(err)
		is.Equal(diff(again, q), "")
		_, err = w.read().Quizzes.WithQuestions(w.ctx(), w.newQuiz("None", 1).ID)
		is.True(isNotFound(err))
	})

	t.Run("GetManyForShare returns the quizzes with their questions by id and omits unknown ids", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, two, none := w.addQuiz("Spelling", 3), w.addQuiz("Sums", 1), w.newQuiz("None", 1)
		w.addQuiz("Other", 2)
		load := func(ids ...quiz.ID) map[quiz.ID]quiz.State {
			states, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (map[quiz.ID]quiz.State, error) {
				found, err := tx.Quizzes.GetManyForShare(ctx, slices.Clone(ids))
				states := map[quiz.ID]quiz.State{}
				for id, q := range found {
					states[id] = q.State()
				}
				return states, err
			})
			is.NoErr(err)
			return states
		}
		is.Equal(len(load()), 0)
		is.Equal(diff(load(two.ID, one.ID, two.ID, none.ID), map[quiz.ID]quiz.State{one.ID: one, two.ID: two}), "")
	})

	t.Run("Save of a structure inserts the quiz with its questions in order", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		q := w.newQuiz("Spelling", quiz.MaxQuestions)
		slices.Reverse(q.Questions) // not ordered by id
		for i := range q.Questions[:9] {
			q.Questions[i].Text = "Two\n\tlines, " + hostileTexts[i]
			q.Questions[i].Choices = []quiz.Choice{{Text: "Ω"}, {Text: "b", Correct: true}, {Text: "A", Correct: true}, {Text: `"\`}}
		}
		is.NoErr(w.trySave(q))
		got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (quiz.State, error) {
			found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{q.ID})
			return found[q.ID].State(), err
		})
		is.NoErr(err)
		is.Equal(diff(got, q), "")
	})
}

// assignments tests ports.AssignmentReader.
func assignments(t *testing.T, b Backend) {
	t.Run("Get returns the assignment, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for _, want := range []assignment.State{w.addAssignment("Essay"), w.addAssignment("Poem")} {
			got, err := w.read().Assignments.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
			got, err = inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (assignment.State, error) {
				return tx.Assignments.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(diff(got, want), "")
		}
		_, err := w.read().Assignments.Get(w.ctx(), w.newAssignment("None").ID)
		is.True(isNotFound(err))
	})

	t.Run("Save of a structure inserts the assignment; titles need not be unique", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, two := w.addAssignment("Essay"), w.addAssignment("Essay")
		is.Equal(diff(w.all().Assignments, []assignment.State{one, two}), "")
	})
}
