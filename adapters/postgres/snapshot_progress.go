package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

const (
	joinPeople  = ` JOIN people p ON p.school_id = r.school_id AND p.id = r.person_id `
	joinCourses = ` JOIN courses c ON c.school_id = r.school_id AND c.id = r.course_id `
	joinGroups  = ` JOIN groups g ON g.school_id = r.school_id AND g.id = r.group_id `
)

// These statements return the instants in arrays and in JSON as Unix time in milliseconds, which is
// their precision in the domain.
var (
	allPartnerships = `
		SELECT p.email, ` + listsql.RowColumns[partnershipRow]() + ` FROM partnerships r` + joinPeople + `
		WHERE r.school_id = $1 ORDER BY p.email_key, r.role COLLATE "C"`
	allRedemptions = `
		SELECT p.email, ` + listsql.RowColumns[redemptionRow]() + `
		FROM redemptions r` + joinPeople + ` JOIN coupons c ON c.school_id = r.school_id AND c.id = r.coupon_id
		WHERE r.school_id = $1 ORDER BY c.code_key, r.created_at, p.email_key, r.id`
	allGroupCourses = `
		SELECT r.group_id, r.course_id FROM group_courses r` + joinGroups + joinCourses + `
		WHERE r.school_id = $1 ORDER BY g.name_key, c.permalink`
	allMemberships = `
		SELECT p.email, ` + listsql.RowColumns[membershipRow]() + `
		FROM memberships r` + joinGroups + joinPeople + `
		WHERE r.school_id = $1 ORDER BY g.name_key, p.email_key, r.role COLLATE "C"`
	allEnrollments = `
		SELECT p.email, ` + listsql.RowColumns[enrollmentRow]() + `
		FROM enrollments r` + joinCourses + joinPeople + `
		WHERE r.school_id = $1 ORDER BY c.permalink, p.email_key, r.role COLLATE "C"`
	allAttempts = `
		SELECT p.email, ` + attemptColumns + `,
			ARRAY (SELECT k.activity_id FROM completions k
				WHERE k.school_id = r.school_id AND k.attempt_id = r.id ORDER BY k.activity_id) AS activities,
			ARRAY (SELECT (extract(epoch FROM k.completed_at) * 1000)::bigint FROM completions k
				WHERE k.school_id = r.school_id AND k.attempt_id = r.id ORDER BY k.activity_id) AS completed
		FROM course_attempts r` + joinCourses + joinPeople + `
		WHERE r.school_id = $1 ORDER BY c.permalink, p.email_key, r.number`
	allQuizAttempts = `
		SELECT p.email, ` + quizAttemptColumns + `, (
				SELECT json_agg(json_build_object('Question', k.question_id, 'Number', k.number, 'Total', k.total,
					'Response', k.response, 'Correct', k.correct, 'At', (extract(epoch FROM k.answered_at) * 1000)::bigint)
					ORDER BY k.number, k.question_id)
				FROM quiz_answers k WHERE k.school_id = r.school_id AND k.quiz_attempt_id = r.id
			) AS answers
		FROM quiz_attempts r` + joinCourses + joinPeople + `
		JOIN activities a ON a.school_id = r.school_id AND a.id = r.activity_id
		WHERE r.school_id = $1
		ORDER BY c.permalink, p.email_key, r.course_number, a.title COLLATE "C", a.created_at, a.id, r.number`
	allSubmissions = `
		SELECT p.email, ` + listsql.RowColumns[submissionRow]() + `, t.number AS attempt_number
		FROM submissions r` + joinCourses + joinPeople + `
		JOIN activities a ON a.school_id = r.school_id AND a.id = r.activity_id
		JOIN course_attempts t ON t.school_id = r.school_id AND t.id = r.attempt_id
		WHERE r.school_id = $1
		ORDER BY c.permalink, p.email_key, t.number, a.title COLLATE "C", a.created_at, a.id, r.created_at, r.id`
	allEvents = `
		SELECT p.email, ` + eventColumns + `
		FROM events r` + joinPeople + `WHERE r.school_id = $1 AND ` + listsql.HideRemovedActivities.Rows + ` ORDER BY r.position`
)

// An ownedRow contains the email address of the person to whom a row belongs.
type ownedRow struct {
	Email string `db:"email"`
}

func withEmail[T any](r ownedRow, record T, err error) (ports.WithEmail[T], error) {
	return ports.WithEmail[T]{Email: r.Email, Record: record}, err
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
		Number int `db:"attempt_number"`
	}
)

// Partnerships implements ports.Snapshot.
func (s *snapshot) Partnerships(ctx context.Context, each func(ports.WithEmail[person.Partnership]) error) error {
	return walk(ctx, s, allPartnerships, func(r ownedPartnership) (ports.WithEmail[person.Partnership], error) {
		p, err := r.partnership()
		return withEmail(r.ownedRow, p, err)
	}, each)
}

// Redemptions implements ports.Snapshot.
func (s *snapshot) Redemptions(ctx context.Context, each func(ports.WithEmail[redemption.Redemption]) error) error {
	return walk(ctx, s, allRedemptions, func(r ownedRedemption) (ports.WithEmail[redemption.Redemption], error) {
		found, err := r.summary()
		return withEmail(r.ownedRow, found.Redemption, err)
	}, each)
}

// GroupCourses implements ports.Snapshot.
func (s *snapshot) GroupCourses(ctx context.Context, each func(ports.GroupCourse) error) error {
	return walk(ctx, s, allGroupCourses, groupCourseRow.groupCourse, each)
}

// Memberships implements ports.Snapshot.
func (s *snapshot) Memberships(ctx context.Context, each func(ports.WithEmail[membership.Membership]) error) error {
	return walk(ctx, s, allMemberships, func(r ownedMembership) (ports.WithEmail[membership.Membership], error) {
		m, err := r.membership()
		return withEmail(r.ownedRow, m, err)
	}, each)
}

// Enrollments implements ports.Snapshot.
func (s *snapshot) Enrollments(ctx context.Context, each func(ports.WithEmail[enrollment.Enrollment]) error) error {
	return walk(ctx, s, allEnrollments, func(r ownedEnrollment) (ports.WithEmail[enrollment.Enrollment], error) {
		e, err := r.enrollment()
		return withEmail(r.ownedRow, e, err)
	}, each)
}

// Attempts implements ports.Snapshot.
func (s *snapshot) Attempts(ctx context.Context, each func(ports.WithEmail[ports.CourseAttempt]) error) error {
	return walk(ctx, s, allAttempts, func(r ownedAttempt) (ports.WithEmail[ports.CourseAttempt], error) {
		a, err := r.attempt()
		record := ports.CourseAttempt{State: a.State()}
		for i, id := range r.Activities {
			record.Completions = append(record.Completions, attempt.Completion{
				Attempt: record.ID, Activity: activity.ID{UUID: id}, At: time.UnixMilli(r.Completed[i]).UTC(),
			})
		}
		return withEmail(r.ownedRow, record, err)
	}, each)
}

// QuizAttempts implements ports.Snapshot.
func (s *snapshot) QuizAttempts(ctx context.Context, each func(ports.WithEmail[quizattempt.State]) error) error {
	return walk(ctx, s, allQuizAttempts, func(r ownedQuizAttempt) (ports.WithEmail[quizattempt.State], error) {
		answers, err := r.answers()
		return withEmail(r.ownedRow, r.state(answers), err)
	}, each)
}

// answers decodes the answers from JSON.
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

// Submissions implements ports.Snapshot.
func (s *snapshot) Submissions(ctx context.Context, each func(ports.WithEmail[ports.SubmissionRecord]) error) error {
	return walk(ctx, s, allSubmissions, func(r ownedSubmission) (ports.WithEmail[ports.SubmissionRecord], error) {
		found, err := r.summary()
		return withEmail(r.ownedRow, ports.SubmissionRecord{Submission: found.Submission, Number: r.Number}, err)
	}, each)
}

// Events implements ports.Snapshot.
func (s *snapshot) Events(ctx context.Context, each func(ports.WithEmail[event.Event]) error) error {
	return walk(ctx, s, allEvents, func(r ownedEvent) (ports.WithEmail[event.Event], error) {
		e, err := r.event()
		return withEmail(r.ownedRow, e, err)
	}, each)
}
