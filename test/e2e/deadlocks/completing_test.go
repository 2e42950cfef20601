package deadlocks_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/app/learning"
	"lyceum/domain/enrollment"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/test/kit/pgtest"
)

// TestCompletingStructureDeadlocksWithNoEnrollment checks a change of a structure that removes the
// last unanswered question. The change completes the quiz attempts of all learners, and must not
// deadlock with requests that enroll these people.
func TestCompletingStructureDeadlocksWithNoEnrollment(t *testing.T) {
	is := is.New(t)
	w := &world{dsn: pgtest.Migrated(t), files: files.NewMemory()}
	w.connect(t)
	k := w.fill(t)
	ctx, name := t.Context(), courseNames[0]
	enrolling, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for enrolling.Err() == nil {
				_ = w.Enrollments.AddPeople(enrollment.Learner)(enrolling, w.actor, k.courses[name], k.people)
			}
		})
	}
	completed := 0
	for began := time.Now(); time.Since(began) < 3*time.Second; {
		is.NoErr(w.restructure(ctx, name, 2))
		quizzes, err := w.Quizzes.List(ctx, w.actor, query.Query{})
		is.NoErr(err)
		of, err := w.Structures.Get(ctx, w.actor, name)
		is.NoErr(err)
		var first quiz.QuestionID
		for _, q := range of.Quizzes {
			first = q.Questions[0].ID
		}
		for _, p := range k.people {
			if _, err := w.Learning.SubmitAnswers(ctx, w.actor, quizzes.Items[0].ID, []learning.AnswerInput{{
				Person: p, Activity: &of.Activities[1].ID, Question: first, Chosen: []string{"Yes"},
			}}); err == nil {
				completed++ // completed by the removal of the other question
			}
		}
		is.NoErr(w.restructure(ctx, name, 1))
	}
	stop()
	wg.Wait()
	is.True(completed > 0)
	is.Equal(w.deadlocks(t), 0)
}
