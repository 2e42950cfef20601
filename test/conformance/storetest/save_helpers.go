package storetest

import (
	"context"
	"fmt"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/idempotency"
	"lyceum/domain/invitation"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/domain/submission"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

// groupCourse is a course of a group.
type groupCourse struct {
	group  group.ID
	course course.ID
}

// savedResponse is the claim of an idempotent request and its recorded response.
type savedResponse struct {
	claim  idempotency.Claim
	answer idempotency.Response
}

// save adds the records in one transaction, which is faster than one transaction for each record.
func (s tenant) save(records ...any) {
	s.t.Helper()
	s.do(func(ctx context.Context, tx ports.Tx) error {
		for _, record := range records {
			if err := add(ctx, tx, record); err != nil {
				return err
			}
		}
		return nil
	})
}

// add adds a record with the repository for its type.
func add(ctx context.Context, tx ports.Tx, record any) error {
	switch r := record.(type) {
	case school.Key:
		return tx.Keys.Add(ctx, r)
	case savedResponse:
		if _, _, err := tx.Idempotency.Claim(ctx, r.claim, expiry(r.claim)); err != nil {
			return err
		}
		return tx.Idempotency.SaveResponse(ctx, r.claim.ID, r.answer)
	case property.State:
		return tx.Properties.Add(ctx, property.Restore(r))
	case category.State:
		return tx.Categories.Add(ctx, category.Restore(r))
	case coupon.State:
		return tx.Coupons.Add(ctx, coupon.Restore(r))
	case course.State:
		return tx.Courses.Add(ctx, course.Restore(r))
	case person.State:
		return tx.People.Add(ctx, person.Restore(r))
	case person.Partnership:
		return second(tx.Partnerships.AddIfAbsent(ctx, r))
	case enrollment.Enrollment:
		return second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{r}))
	case group.State:
		return tx.Groups.Add(ctx, group.Restore(r))
	case groupCourse:
		return second(tx.Groups.AddCourses(ctx, r.group, []course.ID{r.course}))
	case membership.Membership:
		return second(tx.Memberships.AddIfAbsent(ctx, []membership.Membership{r}))
	case quiz.State:
		return tx.Structures.Save(ctx, structure.Revision{AddedQuizzes: []quiz.Quiz{quiz.Restore(r)}})
	case assignment.State:
		return tx.Structures.Save(ctx, structure.Revision{AddedAssignments: []assignment.Assignment{assignment.Restore(r)}})
	case activity.State:
		return tx.Structures.Save(ctx, structure.Revision{Added: []activity.Activity{activity.Restore(r)}})
	case attempt.State:
		return tx.Attempts.Add(ctx, attempt.Restore(r))
	case attempt.Completion:
		return second(addCompletion(ctx, tx, r))
	case quizattempt.State:
		return tx.QuizAttempts.Add(ctx, quizattempt.Restore(r))
	case submission.Submission:
		return tx.Submissions.Add(ctx, r)
	case invitation.Invitation:
		return tx.Invitations.Upsert(ctx, []invitation.Invitation{r})
	case invitation.Link:
		return tx.Invitations.AddLink(ctx, r)
	case redemption.Redemption:
		return tx.Redemptions.Add(ctx, r)
	case webhook.Endpoint:
		return tx.Webhooks.Add(ctx, r)
	case webhook.Delivery:
		return tx.Webhooks.Queue(ctx, []webhook.Delivery{r})
	case change.Follower:
		return tx.Followers.Add(ctx, r)
	case event.Event: // at the event's own time
		return second(tx.Events.Append(ctx, []event.Event{r}, r.CreatedAt))
	}
	return fmt.Errorf("storetest: no repository saves a %T", record)
}

// second returns the error of a call that returns a value and an error, and discards the value.
func second[T any](_ T, err error) error { return err }
