package people

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/event"
	"lyceum/domain/idempotency"
	"lyceum/domain/membership"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// limitedDeletion deletes at most limit records and returns how many it deleted.
type limitedDeletion func(ctx context.Context, tx ports.Tx, limit int) (int, error)

// LimitedDeletions tests the deletions that have a limit. Each call must delete as many records as
// the limit allows.
func LimitedDeletions(t *testing.T, b fixture.Backend) {
	for _, tt := range []struct {
		name string
		// add adds records until there are three of them. It returns a function that deletes them
		// and a function that counts the remaining records.
		add func(w fixture.World, l fixture.CourseFixture) (remove limitedDeletion, left func() int)
	}{
		{"events", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			e := event.NewView(l.Learner.ID, l.Text.ID)
			w.Append(w.NextTime(), e, e, e)
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Events.DeleteByPerson(ctx, l.Learner.ID, limit)
			}, func() int { return len(w.All().Events) }
		}},
		{"submissions", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			for range 3 {
				w.Save(w.NewSubmission(l.Attempt, l.AssignmentActivity))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				ids, err := tx.Submissions.DeleteByPerson(ctx, l.Learner.ID, limit)
				return len(ids), err
			}, func() int { return len(w.All().Submissions) }
		}},
		{"attempts", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			w.AddAttempt(l.Learner.ID, l.Course.ID, 2)
			w.AddAttempt(l.Learner.ID, l.Course.ID, 3)
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
					return tx.Attempts.DeleteByPerson(ctx, l.Learner.ID, limit)
				}, func() int {
					left := 0
					for _, row := range w.All().CourseAnalytics {
						if row.Attempt.UUID != uuid.Nil {
							left++
						}
					}
					return left
				}
		}},
		{"quiz attempts", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			for n := range 3 {
				w.Save(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, n+1, true))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.QuizAttempts.DeleteByPerson(ctx, l.Learner.ID, limit)
			}, func() int { return len(w.All().RawAnswers) }
		}},
		{"redemptions of a person", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			c := w.AddCoupon("Spring")
			for range 3 {
				w.Save(w.NewRedemption(c.ID, l.Learner.ID))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Redemptions.DeleteByPerson(ctx, l.Learner.ID, limit)
			}, func() int { return len(w.All().Redemptions) }
		}},
		{"redemptions of a coupon", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			c := w.AddCoupon("Spring")
			for range 3 {
				w.Save(w.NewRedemption(c.ID, l.Learner.ID))
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Redemptions.DeleteByCoupon(ctx, c.ID, limit)
			}, func() int { return len(w.All().Redemptions) }
		}},
		{"memberships of a group", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			g := w.AddGroup("Painters").ID
			w.AddMembership(l.Learner.ID, g, membership.Member)
			w.AddMembership(l.Learner.ID, g, membership.Manager)
			w.AddMembership(w.AddPerson("grace@example.test").ID, g, membership.Member)
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
				return tx.Memberships.DeleteByGroup(ctx, g, limit)
			}, func() int { return len(w.All().Memberships) }
		}},
		{"recorded responses", func(w fixture.World, l fixture.CourseFixture) (limitedDeletion, func() int) {
			about := idempotency.Response{Status: 201, Body: []byte(l.Learner.ID.String())}
			claims := []idempotency.Claim{fixture.ClaimedRequest(w, "a", 0), fixture.ClaimedRequest(w, "b", 0), fixture.ClaimedRequest(w, "c", 0)}
			for _, c := range claims {
				w.Save(fixture.SavedResponse{Claim: c, Response: about})
			}
			return func(ctx context.Context, tx ports.Tx, limit int) (int, error) {
					return tx.Idempotency.EraseByPerson(ctx, l.Learner.ID, limit)
				}, func() int {
					left := 0
					for _, c := range claims {
						if r, found := fixture.FindResponse(w, c); found && r.Status != idempotency.Erased {
							left++
						}
					}
					return left
				}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			l := fixture.NewCourseFixture(w.Tenant, "one")
			remove, left := tt.add(w, l)
			for _, step := range []struct{ limit, deleted, left int }{{2, 2, 1}, {2, 1, 0}, {2, 0, 0}} {
				n, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (int, error) {
					if _, err := tx.People.GetForUpdate(ctx, l.Learner.ID); err != nil {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		for n := range 3 {
			w.Save(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, n+1, true))
		}
		for _, scores := range []int{1, 1, 0} {
			before := w.All().QuizScores
			_, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (int, error) {
				return tx.QuizAttempts.DeleteByPerson(ctx, l.Learner.ID, 1)
			})
			is.NoErr(err)
			after := w.All().QuizScores
			is.Equal(len(after), scores)
			if scores > 0 {
				is.Equal(fixture.Diff(after, before), "")
			}
		}
		is.NoErr(w.DeletePerson(l.Learner.ID))
	})
}
