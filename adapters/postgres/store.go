package postgres

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"lyceum/adapters/postgres/learnerlists"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/job"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/domain/webhook"
	"lyceum/ports"
)

var _ ports.Store = (*Store)(nil)

// Store implements ports.Store on a database whose schema is up to date.
type Store struct {
	db           *pgdb.DB
	knownSchools sync.Map // time of the last lookup of each existing school, by ID
	turns        turns    // which school the queue serves next
	floors       floors   // from when on the queue looks for jobs
	leases       job.Leases
	leasing      chan struct{} // contains a value while a worker leases jobs
	migrated     atomic.Bool   // whether the schema is known to be up to date
}

// New returns the store on db. The caller must close db.
func New(db *pgdb.DB) *Store {
	return &Store{db: db, leasing: make(chan struct{}, 1)}
}

// Schools returns the schools and their keys.
func (s *Store) Schools() ports.Schools { return schools{s.session(school.ID{})} }

// Read implements ports.Store.
func (s *Store) Read(id school.ID) ports.Reader {
	c := s.session(id)
	return ports.Reader{
		School:       schoolReader{c},
		Keys:         keyReader{c},
		Properties:   propertyReader{newReader[property.ID](c, propertyList)},
		Categories:   categoryReader{newLister(c, categoryList)},
		Coupons:      newReader[coupon.ID](c, couponList),
		Redemptions:  newReader[redemption.ID](c, redemptionList),
		Courses:      courseReader{newReader[course.ID](c, courseList)},
		People:       personReader{newReader[person.ID](c, personList)},
		Partnerships: newReader[person.PartnershipID](c, partnershipList),
		Enrollments:  enrollmentReader{newReader[enrollment.ID](c, enrollmentList)},
		Groups:       groupReader{newReader[group.ID](c, groupList)},
		Memberships:  membershipReader{newReader[membership.ID](c, membershipList)},
		Bulk:         bulkReader{c},
		Invitations:  invitationReader{c},
		SignIns:      signInReader{c},
		Tokens:       tokenReader{c},
		Activities:   newActivityReader(c),
		Structures:   structureReader{c},
		Quizzes:      quizReader{newReader[quiz.ID](c, quizList)},
		Assignments:  newReader[assignment.ID](c, assignmentList),
		Submissions:  newReader[submission.ID](c, submissionList),
		Events:       eventReader{c, eventList},
		Changes:      changeReader{c},
		Audit:        auditReader{c},
		Webhooks:     webhookReader{c},

		WebhookDeliveries: lister[webhookDeliveryRow, webhook.Delivery]{c, webhookDeliveryList},

		CourseAnalytics: newCourseAnalytics(c),
		QuizScores:      newLister(c, learnerlists.QuizScores),
		RawAnswers:      newLister(c, learnerlists.RawAnswers),
		QuizAttempts:    quizAttemptReader{newLister(c, quizAttemptList)},
		Completions:     newLister(c, learnerlists.Completions),
		Statistics:      statisticsReader{c},
	}
}

func newTx(c *session) ports.Tx {
	return ports.Tx{
		School:       schoolRepo{schoolReader{c}},
		Keys:         keyRepo{keyReader{c}},
		Properties:   propertyRepo{newUniqueRepo[property.ID](c, propertyList, propertyRecords)},
		Categories:   categoryRepo{newUniqueRepo[category.ID](c, categoryList, categoryRecords)},
		Coupons:      couponRepo{newUniqueRepo[coupon.ID](c, couponList, couponRecords)},
		Redemptions:  redemptionRepo{newReader[redemption.ID](c, redemptionList)},
		Courses:      courseRepo{newUniqueRepo[course.ID](c, courseList, courseRecords)},
		People:       personRepo{newUniqueRepo[person.ID](c, personList, personRecords)},
		Partnerships: partnershipRepo{newReader[person.PartnershipID](c, partnershipList)},
		Enrollments:  enrollmentRepo{enrollmentReader{newReader[enrollment.ID](c, enrollmentList)}},
		Groups:       groupRepo{newUniqueRepo[group.ID](c, groupList, groupRecords)},
		Memberships:  membershipRepo{membershipReader{newReader[membership.ID](c, membershipList)}},
		Bulk:         bulkRepo{bulkReader{c}},
		Invitations:  invitationRepo{invitationReader{c}},
		SignIns:      signInRepo{signInReader{c}},
		Tokens:       tokenRepo{tokenReader{c}},
		Deliveries:   deliveryRepo{c},
		Activities:   activityRepo{newActivityReader(c)},
		Structures:   structureRepo{structureReader{c}},
		Quizzes:      quizRepo{quizReader{newReader[quiz.ID](c, quizList)}},
		Assignments:  newReader[assignment.ID](c, assignmentList),
		Submissions:  submissionRepo{newReader[submission.ID](c, submissionList)},
		Attempts:     attemptRepo{c},
		QuizAttempts: quizAttemptRepo{c},
		Events:       eventLog{eventReader{c, eventList}},
		Audit:        auditLog{c},
		Followers:    followerRepo{c},
		Webhooks:     webhookRepo{webhookReader{c}},
		Reconciler:   reconciler{c},
		Jobs:         jobRepo{c},
		Idempotency:  idempotencyRepo{c},
	}
}

const schoolExists = `SELECT true FROM schools WHERE id = $1`

// knownSchoolTTL is how long a school is assumed to exist after a lookup. It equals the time for
// which API keys are cached, because a school is deleted only after its keys are rejected.
const knownSchoolTTL = 3 * time.Second

// checkSchool returns NotFound if the school does not exist. It remembers an existing school for
// knownSchoolTTL.
func (s *Store) checkSchool(ctx context.Context, id school.ID) error {
	if at, ok := s.knownSchools.Load(id); ok && time.Since(at.(time.Time)) < knownSchoolTTL {
		return nil
	}
	var found bool
	err := s.session(id).GetRow(ctx, &found, schoolExists, id.UUID)
	if errors.Is(err, sql.ErrNoRows) {
		s.knownSchools.Delete(id)
		return fault.RecordNotFound()
	}
	if err == nil {
		s.knownSchools.Store(id, time.Now())
	}
	return err
}

// InTx implements ports.Store. The transaction is READ COMMITTED. After a serialization failure, a
// deadlock, or a conflict about a unique value, InTx runs fn again, at most ports.MaxTries times in
// total.
func (s *Store) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	if err := s.checkOutsideTx(ctx, id); err != nil {
		return err
	}
	return s.db.InTx(ctx, id.UUID, s.repositories(fn))
}

// InLongTx implements ports.Store, on a separate connection without a statement timeout.
func (s *Store) InLongTx(
	ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if err := s.checkOutsideTx(ctx, id); err != nil {
		return err
	}
	return s.db.InLongTx(ctx, id.UUID, s.repositories(fn))
}

// checkOutsideTx returns an error inside a transaction, and NotFound if the school does not exist.
func (s *Store) checkOutsideTx(ctx context.Context, id school.ID) error {
	if err := pgdb.NotInside(ctx); err != nil {
		return err
	}
	return s.checkSchool(ctx, id)
}

// repositories returns a function that calls fn with the repositories of a transaction.
func (s *Store) repositories(fn func(ctx context.Context, tx ports.Tx) error) func(context.Context, *pgdb.Session) error {
	return func(ctx context.Context, c *pgdb.Session) error {
		return fn(ctx, newTx(&session{Session: c, store: s}))
	}
}

// Ready returns an error if the store cannot serve requests: the database does not respond or is
// read-only, or its schema is not up to date (migrations.ErrPending).
func (s *Store) Ready(ctx context.Context) error {
	if err := s.db.Writable(ctx); err != nil {
		return notReady(err)
	}
	if s.migrated.Load() {
		return nil
	}
	// A newer schema still has everything that this program needs.
	if err := migrations.Check(ctx, s.db); err != nil && !errors.Is(err, migrations.ErrNewer) {
		return notReady(err)
	}
	s.migrated.Store(true)
	return nil
}

// notReady returns an outage with a cause for the log and a reason that clients may see.
func notReady(cause error) error {
	reason := "The database is unreachable"
	switch {
	case pgdb.IsReadOnly(cause):
		reason = "The database is read-only"
	case errors.Is(cause, migrations.ErrPending):
		reason = "The database schema is not up to date"
	}
	return &pgdb.OutageError{Fault: fault.Unavailablef("%s", reason), Cause: cause}
}
