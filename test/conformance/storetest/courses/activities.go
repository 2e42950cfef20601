package courses

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
	"lyceum/domain/quiz"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// film is the content of a video with an address.
var film = activity.Content{Kind: activity.Video, Duration: time.Minute, VideoURL: "https://media.example.test/a.mp4?b=ω"}

// Activities tests ports.ActivityReader and ports.ActivityRepo.
func Activities(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the activity, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		for _, want := range []activity.State{l.Text, l.Video, l.QuizActivity, l.AssignmentActivity} {
			got, err := w.Read().Activities.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
			got, err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (activity.State, error) {
				return tx.Activities.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		_, err := w.Read().Activities.Get(w.Context(), w.NewActivity(l.Course.ID, "None", activity.TextContent()).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetManyForShare returns the activities by id and omits unknown ids", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		none := w.NewActivity(l.Course.ID, "None", activity.TextContent()).ID
		tests := []struct {
			name string
			ids  []activity.ID
			want []activity.State
		}{
			{"no ids", nil, nil},
			{"one", []activity.ID{l.Video.ID}, []activity.State{l.Video}},
			{"several", []activity.ID{l.AssignmentActivity.ID, l.Text.ID}, []activity.State{l.AssignmentActivity, l.Text}},
			{"one id twice", []activity.ID{l.Text.ID, l.QuizActivity.ID, l.Text.ID}, []activity.State{l.Text, l.QuizActivity}},
			{"an unknown id", []activity.ID{none, l.Text.ID}, []activity.State{l.Text}},
			{"only unknown ids", []activity.ID{none}, nil},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is, ids := is.New(t), slices.Clone(tt.ids)
				got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (map[activity.ID]activity.State, error) {
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
				is.Equal(fixture.Diff(got, want), "")
				is.Equal(ids, tt.ids) // the argument is not modified
			})
		}
	})

	t.Run("Get, structures and snapshots return texts, List and GetManyForShare do not", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, film := w.AddCourse("Drawing"), film
		film.Text = "# Light\n\n\t*and* " + strings.Repeat("ω", activity.MaxText/4)
		want := w.AddActivity(c.ID, "Film", film)
		got, err := w.Read().Activities.Get(w.Context(), want.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		is.Equal(fixture.Diff(structureOf(w.Tenant, c.ID).Activities, []activity.State{want}), "")
		is.NoErr(w.Store.Snapshot(w.Context(), w.ID, func(ctx context.Context, s ports.Snapshot) error {
			return s.Activities(ctx, func(a activity.State) error {
				is.Equal(fixture.Diff(a, want), "")
				return nil
			})
		}))
		lean := want.WithoutText()
		is.Equal(fixture.Diff(w.All().Activities, []activity.State{lean}), "")
		shared, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (activity.State, error) {
			found, err := tx.Activities.GetManyForShare(ctx, []activity.ID{want.ID})
			is.Equal(fixture.Diff(fixture.RowsOf(w.Tenant, tx.Activities), []activity.State{lean}), "")
			return found[want.ID].State(), err
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(shared, lean), "")
	})

	t.Run("Save of a structure inserts activities of each kind", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, q, a := w.AddCourse("Drawing"), w.AddQuiz("Quiz", 1), w.AddAssignment("Paper")
		want := []activity.State{
			w.NewActivity(c.ID, "A", activity.TextContent()), w.NewActivity(c.ID, "B", activity.VideoContent(activity.MaxDuration)),
			w.NewActivity(c.ID, "C", activity.VideoContent(time.Second)), w.NewActivity(c.ID, "D", activity.QuizContent(q.ID)),
			w.NewActivity(c.ID, "E", activity.AssignmentContent(a.ID)),
			w.NewActivity(c.ID, "F", film),
		}
		for _, one := range want {
			is.NoErr(w.TrySave(one))
		}
		is.Equal(fixture.Diff(w.All().Activities, want), "")
	})

	t.Run("Save of a structure returns an error for an unknown course, quiz or assignment", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		c := w.AddCourse("Drawing")
		w.MustReject(w.NewActivity(w.NewCourse("Singing").ID, "A", activity.TextContent()))
		w.MustReject(w.NewActivity(c.ID, "A", activity.QuizContent(w.NewQuiz("Quiz", 1).ID)))
		w.MustReject(w.NewActivity(c.ID, "A", activity.AssignmentContent(w.NewAssignment("Paper").ID)))
	})

	t.Run("Adding an activity to a course lowers the progress", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		w.Save(attempt.Completion{Attempt: l.Attempt.ID, Activity: l.Text.ID, At: w.NextTime()})
		is.Equal(w.TallyOf(l.Attempt.ID).Activities, 4)
		w.AddActivity(l.Course.ID, "More", activity.TextContent())
		is.Equal(w.TallyOf(l.Attempt.ID).Activities, 5)
	})
}

// Quizzes tests ports.QuizReader and ports.QuizRepo.
func Quizzes(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the quiz, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		q, other, c := w.AddQuiz("Spelling", 2), w.AddQuiz("Sums", 1), w.AddCourse("Drawing")
		want := quiz.Summary{ID: q.ID, Name: q.Name, CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt}
		get := func(id quiz.ID) quiz.Summary {
			got, err := w.Read().Quizzes.Get(w.Context(), id)
			is.NoErr(err)
			inside, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (quiz.Summary, error) {
				return tx.Quizzes.Get(ctx, id)
			})
			is.NoErr(err)
			is.Equal(fixture.Diff(inside, got), "")
			return got
		}
		is.Equal(fixture.Diff(get(q.ID), want), "")
		first, second := w.NewActivity(c.ID, "Z", activity.QuizContent(q.ID)), w.NewActivity(c.ID, "A", activity.QuizContent(q.ID))
		w.Save(second, first, w.NewActivity(c.ID, "B", activity.TextContent()))
		want.Activities = []activity.ID{first.ID, second.ID} // ordered by id
		is.Equal(fixture.Diff(get(q.ID), want), "")
		is.Equal(len(get(other.ID).Activities), 0)
		_, err := w.Read().Quizzes.Get(w.Context(), w.NewQuiz("None", 1).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("WithQuestions returns the quiz with all its questions, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		q := w.NewQuiz("Spelling", 3)
		q.Archived = w.NewQuiz("Old", 2).Questions
		q.Archived[0].Key, q.Archived[1].Key = "old-1", "old-2"
		w.Save(q)
		w.AddQuiz("Sums", 1)
		got, err := w.Read().Quizzes.WithQuestions(w.Context(), q.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, q), "")
		inside, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (quiz.State, error) {
			return tx.Quizzes.WithQuestions(ctx, q.ID)
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(inside, q), "")
		got.Questions[0].Choices[0].Text = "changed by the caller"
		again, err := w.Read().Quizzes.WithQuestions(w.Context(), q.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(again, q), "")
		_, err = w.Read().Quizzes.WithQuestions(w.Context(), w.NewQuiz("None", 1).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetManyForShare returns the quizzes with their questions by id and omits unknown ids", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, two, none := w.AddQuiz("Spelling", 3), w.AddQuiz("Sums", 1), w.NewQuiz("None", 1)
		w.AddQuiz("Other", 2)
		load := func(ids ...quiz.ID) map[quiz.ID]quiz.State {
			states, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (map[quiz.ID]quiz.State, error) {
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
		is.Equal(fixture.Diff(load(two.ID, one.ID, two.ID, none.ID), map[quiz.ID]quiz.State{one.ID: one, two.ID: two}), "")
	})

	t.Run("Save of a structure inserts the quiz with its questions in order", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		q := w.NewQuiz("Spelling", quiz.MaxQuestions)
		slices.Reverse(q.Questions) // not ordered by id
		for i := range q.Questions[:9] {
			q.Questions[i].Text = "Two\n\tlines, " + lists.HostileTexts[i]
			q.Questions[i].Choices = []quiz.Choice{{Text: "Ω"}, {Text: "b", Correct: true}, {Text: "A", Correct: true}, {Text: `"\`}}
		}
		is.NoErr(w.TrySave(q))
		got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (quiz.State, error) {
			found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{q.ID})
			return found[q.ID].State(), err
		})
		is.NoErr(err)
		is.Equal(fixture.Diff(got, q), "")
	})
}

// Assignments tests ports.AssignmentReader.
func Assignments(t *testing.T, b fixture.Backend) {
	t.Run("Get returns the assignment, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for _, want := range []assignment.State{w.AddAssignment("Essay"), w.AddAssignment("Poem")} {
			got, err := w.Read().Assignments.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
			got, err = fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (assignment.State, error) {
				return tx.Assignments.Get(ctx, want.ID)
			})
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
		}
		_, err := w.Read().Assignments.Get(w.Context(), w.NewAssignment("None").ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("Save of a structure inserts the assignment; titles need not be unique", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, two := w.AddAssignment("Essay"), w.AddAssignment("Essay")
		is.Equal(fixture.Diff(w.All().Assignments, []assignment.State{one, two}), "")
	})
}
