package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

// Instants within arrays come as milliseconds, which is all they have.
const (
	ofOwner  = ` JOIN people p ON p.school_id = r.school_id AND p.id = r.person_id `
	inCourse = ` JOIN courses c ON c.school_id = r.school_id AND c.id = r.course_id `
	inGroup  = ` JOIN groups g ON g.school_id = r.school_id AND g.id = r.group_id `

	everyPartnership = `
		SELECT p.email, r.id, r.person_id, r.role, r.created_at FROM partnerships r` + ofOwner + `
		WHERE r.school_id = $1 ORDER BY p.email_key, r.role COLLATE "C"`
	everyRedemption = `
		SELECT r.id, r.coupon_id, r.person_id, r.created_at, p.email
		FROM redemptions r` + ofOwner + ` JOIN coupons c ON c.school_id = r.school_id AND c.id = r.coupon_id
		WHERE r.school_id = $1 ORDER BY c.code_key, r.created_at, p.email_key, r.id`
	everyGroupCourse = `
		SELECT r.group_id, r.course_id FROM group_courses r` + inGroup + inCourse + `
		WHERE r.school_id = $1 ORDER BY g.name_key, c.permalink`
	everyMembership = `
		SELECT p.email, r.id, r.person_id, r.group_id, r.role, r.created_at, r.updated_at
		FROM memberships r` + inGroup + ofOwner + `
		WHERE r.school_id = $1 ORDER BY g.name_key, p.email_key, r.role COLLATE "C"`
	everyEnrollment = `
		SELECT p.email, r.id, r.person_id, r.course_id, r.role, r.created_at, r.updated_at
		FROM enrollments r` + inCourse + ofOwner + `
		WHERE r.school_id = $1 ORDER BY c.permalink, p.email_key, r.role COLLATE "C"`
	everyAttempt = `
		SELECT p.email, r.id, r.person_id, r.course_id, r.number, r.progress, r.last_completed_at, r.started_at,
			ARRAY (SELECT k.activity_id FROM completions k
				WHERE k.school_id = r.school_id AND k.attempt_id = r.id ORDER BY k.activity_id) AS activities,
			ARRAY (SELECT (extract(epoch FROM k.completed_at) * 1000)::bigint FROM completions k
				WHERE k.school_id = r.school_id AND k.attempt_id = r.id ORDER BY k.activity_id) AS completed
		FROM course_attempts r` + inCourse + ofOwner + `
		WHERE r.school_id = $1 ORDER BY c.permalink, p.email_key, r.number`
	everyQuizAttempt = `
		SELECT p.email, r.id, r.person_id, r.course_id, r.attempt_id, r.course_number, r.activity_id, r.quiz_id,
			r.number, r.answered, r.correct, r.total, r.last_answered_at, r.started_at, (
				SELECT json_agg(json_build_object('Question', k.question_id, 'Number', k.number, 'Total', k.total,
					'Response', k.response, 'Correct', k.correct, 'At', (extract(epoch FROM k.answered_at) * 1000)::bigint)
					ORDER BY k.number, k.question_id)
				FROM quiz_answers k WHERE k.school_id = r.school_id AND k.quiz_attempt_id = r.id
			) AS answers
		FROM quiz_attempts r` + inCourse + ofOwner + `
		JOIN activities a ON a.school_id = r.school_id AND a.id = r.activity_id
		WHERE r.school_id = $1
		ORDER BY c.permalink, p.email_key, r.course_number, a.title COLLATE "C", a.created_at, a.id, r.number`
	everySubmission = `
		SELECT p.email, r.id, r.assignment_id, r.activity_id, r.course_id, r.person_id, r.attempt_id,
			r.file_name, r.media_type, r.file_size, r.created_at, t.number
		FROM submissions r` + inCourse + ofOwner + `
		JOIN activities a ON a.school_id = r.school_id AND a.id = r.activity_id
		JOIN course_attempts t ON t.school_id = r.school_id AND t.id = r.attempt_id
		WHERE r.school_id = $1
		ORDER BY c.permalink, p.email_key, t.number, a.title COLLATE "C", a.created_at, a.id, r.created_at, r.id`
)

var everyEvent = `
	SELECT p.email, r.position, r.kind, r.person_id, r.activity_id, r.watched, r.created_at, r.occurred_at, r.client_id
	FROM events r` + ofOwner + `WHERE r.school_id = $1 AND ` + ofRemovedActivity.Rows + ` ORDER BY r.position`

// ownedRow is a row with the e-mail address of its person.
type ownedRow struct {
	Email string `db:"email"`
}

func owned[T any](r ownedRow, record T, err error) (ports.Owned[T], error) {
	return ports.Owned[T]{Email: r.Email, Record: record}, err
}

type (
	ownedPartnership struct {
		ownedRow
		partnershipRow
	}
	ownedMembership struct {
		ownedRow
		membershipRow
	}
	ownedEnrollment struct {
		ownedRow
		enrollmentRow
	}
	ownedEvent struct {
		ownedRow
		eventRow
	}
	ownedRedemption struct {
		ownedRow
		redemptionRow
	}
	ownedAttempt struct {
		ownedRow
		attemptRow
		Activities pgdb.IDArray  `db:"activities"`
		Completed  pq.Int64Array `db:"completed"`
	}
	ownedQuizAttempt struct {
		ownedRow
		quizAttemptRow
		Answers []byte `db:"answers"`
	}
	ownedSubmission struct {
		ownedRow
		submissionRow
		Number int `db:"number"`
	}
)

// Partnerships hands over the partnerships.
func (s *snapshot) Partnerships(ctx context.Context, each func(ports.Owned[person.Partnership]) error) error {
	return walk(ctx, s, everyPartnership, func(r ownedPartnership) (ports.Owned[person.Partnership], error) {
		p, err := r.partnership()
		return owned(r.ownedRow, p, err)
	}, each)
}

// Redemptions hands over the redemptions.
func (s *snapshot) Redemptions(ctx context.Context, each func(ports.Owned[redemption.Redemption]) error) error {
	return walk(ctx, s, everyRedemption, func(r ownedRedemption) (ports.Owned[redemption.Redemption], error) {
		found, err := r.summary()
		return owned(r.ownedRow, found.Redemption, err)
	}, each)
}

// GroupCourses hands over which groups hold which courses.
func (s *snapshot) GroupCourses(ctx context.Context, each func(ports.GroupCourse) error) error {
	type held struct {
		Group  uuid.UUID `db:"group_id"`
		Course uuid.UUID `db:"course_id"`
	}
	return walk(ctx, s, everyGroupCourse, surely(func(r held) ports.GroupCourse {
		return ports.GroupCourse{Group: group.ID{UUID: r.Group}, Course: course.ID{UUID: r.Course}}
	}), each)
}

// Memberships hands over the memberships.
func (s *snapshot) Memberships(ctx context.Context, each func(ports.Owned[membership.Membership]) error) error {
	return walk(ctx, s, everyMembership, func(r ownedMembership) (ports.Owned[membership.Membership], error) {
		m, err := r.membership()
		return owned(r.ownedRow, m, err)
	}, each)
}

// Enrollments hands over the enrollments.
func (s *snapshot) Enrollments(ctx context.Context, each func(ports.Owned[enrollment.Enrollment]) error) error {
	return walk(ctx, s, everyEnrollment, func(r ownedEnrollment) (ports.Owned[enrollment.Enrollment], error) {
		e, err := r.enrollment()
		return owned(r.ownedRow, e, err)
	}, each)
}

// Attempts hands over the course attempts with their completions.
func (s *snapshot) Attempts(ctx context.Context, each func(ports.Owned[ports.Run]) error) error {
	return walk(ctx, s, everyAttempt, func(r ownedAttempt) (ports.Owned[ports.Run], error) {
		run := ports.Run{State: r.attempt().State()}
		for i, id := range r.Activities {
			run.Completions = append(run.Completions, attempt.Completion{
				Attempt: run.ID, Activity: activity.ID{UUID: id}, At: time.UnixMilli(r.Completed[i]).UTC(),
			})
		}
		return owned(r.ownedRow, run, nil)
	}, each)
}

// QuizAttempts hands over the quiz attempts with their answers.
func (s *snapshot) QuizAttempts(ctx context.Context, each func(ports.Owned[quizattempt.State]) error) error {
	return walk(ctx, s, everyQuizAttempt, func(r ownedQuizAttempt) (ports.Owned[quizattempt.State], error) {
		answers, err := r.answers()
		return owned(r.ownedRow, r.state(answers), err)
	}, each)
}

// answers reads the answers, which come as JSON.
func (r ownedQuizAttempt) answers() ([]quizattempt.Answer, error) {
	var given []struct {
		Question      uuid.UUID
		Number, Total int
		Response      string
		Correct       bool
		At            int64
	}
	if r.Answers == nil {
		return nil, nil
	}
	if err := json.Unmarshal(r.Answers, &given); err != nil {
		return nil, pgdb.Corrupt("quiz_answers", r.ID, err)
	}
	answers := make([]quizattempt.Answer, len(given))
	for i, g := range given {
		answers[i] = quizattempt.Answer{
			Question: quiz.QuestionID{UUID: g.Question}, Position: quiz.Position{Number: g.Number, Total: g.Total},
			Response: g.Response, Correct: g.Correct, At: time.UnixMilli(g.At).UTC(),
		}
	}
	return answers, nil
}

// Submissions hands over the submissions.
func (s *snapshot) Submissions(ctx context.Context, each func(ports.Owned[ports.Paper]) error) error {
	return walk(ctx, s, everySubmission, func(r ownedSubmission) (ports.Owned[ports.Paper], error) {
		found, err := r.summary()
		return owned(r.ownedRow, ports.Paper{Submission: found.Submission, Number: r.Number}, err)
	}, each)
}

// Events hands over the feed.
func (s *snapshot) Events(ctx context.Context, each func(ports.Owned[event.Event]) error) error {
	return walk(ctx, s, everyEvent, func(r ownedEvent) (ports.Owned[event.Event], error) {
		e, err := r.event()
		return owned(r.ownedRow, e, err)
	}, each)
}
