package storetest

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/event"
	"lyceum/domain/idempotency"
	"lyceum/domain/membership"
	"lyceum/ports"
)

// limitedDeletion deletes at most limit records and returns how many it deleted.
type limitedDeletion func(ctx context.Context, tx ports.Tx, limit int) (int, error)

// limitedDeletions tests the deletions that have a limit. Each call must delete as many records as
// the limit allows.
func limitedDeletions(t *testing.T, b Backend) {
	for _, tt := range []struct {
		name string
		// add adds records until there are three of them. It returns a function that deletes them
		// and a function that counts the remaining records.
		add func(w world, l courseFixture) (remove limitedDeletion, left func() int)
	}{
		{"events", func(w world, l courseFixture) (limitedDeletion, func() int) {
			e := event.NewView(l.learner.ID, l.text.ID)
			w.append(w.nextTime(), e, e, e)
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Events.DeleteByPerson(ctx, l.learner.ID, limit)
			}, func() int { return len(w.all().Events) }
		}},
		{"submissions", func(w world, l courseFixture) (limitedDeletion, func() int) {
			for range 3 {
				w.save(w.newSubmission(l.attempt, l.assignmentActivity))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				ids, err := tx.Submissions.DeleteByPerson(ctx, l.learner.ID, limit)
				return len(ids), err
			}, func() int { return len(w.all().Submissions) }
		}},
		{"attempts", func(w world, l courseFixture) (limitedDeletion, func() int) {
			w.addAttempt(l.learner.ID, l.course.ID, 2)
			w.addAttempt(l.learner.ID, l.course.ID, 3)
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
					return tx.Attempts.DeleteByPerson(ctx, l.learner.ID, limit)
				}, func() int {
					left := 0
					for _, row := range w.all().CourseAnalytics {
						if row.Attempt.UUID != uuid.Nil {
							left++
						}
					}
					return left
				}
		}},
		{"quiz attempts", func(w world, l courseFixture) (limitedDeletion, func() int) {
			for n := range 3 {
				w.save(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, n+1, true))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.QuizAttempts.DeleteByPerson(ctx, l.learner.ID, limit)
			}, func() int { return len(w.all().RawAnswers) }
		}},
		{"redemptions of a person", func(w world, l courseFixture) (limitedDeletion, func() int) {
			c := w.addCoupon("Spring")
			for range 3 {
				w.save(w.newRedemption(c.ID, l.learner.ID))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Redemptions.DeleteByPerson(ctx, l.learner.ID, limit)
			}, func() int { return len(w.all().Redemptions) }
		}},
		{"redemptions of a coupon", func(w world, l courseFixture) (limitedDeletion, func() int) {
			c := w.addCoupon("Spring")
			for range 3 {
				w.save(w.newRedemption(c.ID, l.learner.ID))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Redemptions.DeleteByCoupon(ctx, c.ID, limit)
			}, func() int { return len(w.all().Redemptions) }
		}},
		{"memberships of a group", func(w world, l courseFixture) (limitedDeletion, func() int) {
			g := w.addGroup("Painters").ID
			w.addMembership(l.learner.ID, g, membership.Member)
			w.addMembership(l.learner.ID, g, membership.Manager)
			w.addMembership(w.addPerson("grace@example.test").ID, g, membership.Member)
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Memberships.DeleteByGroup(ctx, g, limit)
			}, func() int { return len(w.all().Memberships) }
		}},
		{"recorded responses", func(w world, l courseFixture) (limitedDeletion, func() int) {
			about := idempotency.Response{Status: 201, Body: []byte(l.learner.ID.String())}
			claims := []idempotency.Claim{claimedRequest(w, "a", 0), claimedRequest(w, "b", 0), claimedRequest(w, "c", 0)}
			for _, c := range claims {
				w.save(savedResponse{c, about})
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
					return tx.Idempotency.EraseByPerson(ctx, l.learner.ID, limit)
				}, func() int {
					left := 0
					for _, c := range claims {
						if r, found := findResponse(w, c); found && r.Status != idempotency.Erased {
							left++
						}
					}
					return left
				}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			l := newCourseFixture(w.tenant, "one")
			remove, left := tt.add(w, l)
			for _, step := range []struct{ limit, deleted, left int }{{2, 2, 1}, {2, 1, 0}, {2, 0, 0}} {
				n, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (int, error) {
					if _, err := tx.People.GetForUpdate(ctx, l.learner.ID); err != nil {
						return 0, err
					}
					return remove(ctx, tx, step.limit)
				})
				is.NoErr(err)
				is.Equal(n, step.deleted)
				is.Equal(left(), step.left)
			}
		})
	}

	t.Run("the score of an activity remains until its latest quiz attempt is deleted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		for n := range 3 {
			w.save(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, n+1, true))
		}
		for _, scores := range []int{1, 1, 0} {
			before := w.all().QuizScores
			_, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (int, error) {
				return tx.QuizAttempts.DeleteByPerson(ctx, l.learner.ID, 1)
			})
			is.NoErr(err)
			after := w.all().QuizScores
			is.Equal(len(after), scores)
			if scores > 0 {
				is.Equal(diff(after, before), "")
			}
		}
		is.NoErr(w.deletePerson(l.learner.ID))
	})
}
