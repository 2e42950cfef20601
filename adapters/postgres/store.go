package postgres

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"

	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Store = (*Store)(nil)

// Store is the ports.Store on a database whose schema is up to date.
type Store struct {
	db       *pgdb.DB
	known    sync.Map    // ids of schools seen; a school is never removed
	turns    turns       // of the queue
	migrated atomic.Bool // the schema was found up to date
}

// New returns the store on db, which stays the caller's to close.
func New(db *pgdb.DB) *Store {
	return &Store{db: db}
}

// Schools returns the schools themselves and their keys.
func (s *Store) Schools() ports.Schools { return schools{s.session(school.ID{})} }

// Read returns the school's committed records.
func (s *Store) Read(id school.ID) ports.Reader {
	c := s.session(id)
	return ports.Reader{
		School:       schoolReader{c},
		Keys:         keyReader{c},
		Categories:   categoryReader{c},
		Coupons:      couponReader{c},
		Redemptions:  redemptionReader{c},
		Courses:      courseReader{c},
		People:       personReader{c},
		Partnerships: partnershipReader{c},
		Enrollments:  enrollmentReader{c},
		Groups:       groupReader{c},
		Memberships:  membershipReader{c},
		Bulk:         bulkReader{c},
		Invitations:  invitationReader{c},
		Activities:   activityReader{c},
		Structures:   structureReader{c},
		Quizzes:      quizReader{c},
		Assignments:  assignmentReader{c},
		Submissions:  submissionReader{c},
		Events:       eventReader{c},

		CourseAnalytics: courseAnalyticsReader{c},
		QuizScores:      quizScoreReader{c},
		RawAnswers:      rawAnswerReader{c},
		QuizRuns:        quizRunReader{c},
		Completions:     completionReader{c},
	}
}

func newTx(c *session) ports.Tx {
	return ports.Tx{
		School:       schoolRepo{schoolReader{c}},
		Keys:         keyRepo{keyReader{c}},
		Categories:   categoryRepo{categoryReader{c}},
		Coupons:      couponRepo{couponReader{c}},
		Redemptions:  redemptionRepo{redemptionReader{c}},
		Courses:      courseRepo{courseReader{c}},
		People:       personRepo{personReader{c}},
		Partnerships: partnershipRepo{partnershipReader{c}},
		Enrollments:  enrollmentRepo{enrollmentReader{c}},
		Groups:       groupRepo{groupReader{c}},
		Memberships:  membershipRepo{membershipReader{c}},
		Bulk:         bulkRepo{bulkReader{c}},
		Invitations:  invitationRepo{invitationReader{c}},
		Deliveries:   deliveryRepo{c},
		Activities:   activityRepo{activityReader{c}},
		Structures:   structureRepo{structureReader{c}},
		Quizzes:      quizRepo{quizReader{c}},
		Assignments:  assignmentRepo{assignmentReader{c}},
		Submissions:  submissionRepo{submissionReader{c}},
		Attempts:     attemptRepo{c},
		QuizAttempts: quizAttemptRepo{c},
		Events:       eventLog{eventReader{c}},
		Ledger:       ledgerRepo{c},
		Jobs:         jobRepo{c},
		Replays:      replayRepo{c},
	}
}

const schoolExists = `SELECT true FROM schools WHERE id = $1`

// checkSchool returns a NotFound fault when there is no such school. Schools
// never go, so each is asked for once.
func (s *Store) checkSchool(ctx context.Context, id school.ID) error {
	if _, ok := s.known.Load(id); ok {
		return nil
	}
	var found bool
	err := s.session(id).GetRow(ctx, &found, schoolExists, id.UUID)
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing()
	}
	if err == nil {
		s.known.Store(id, struct{}{})
	}
	return err
}
