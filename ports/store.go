package ports

import (
	"context"

	"lyceum/domain/event"
	"lyceum/domain/school"
)

// Store keeps the records of many schools apart. Whoever reads or writes names
// the school first and gets repositories that know no other: another school's
// record does not exist for them, neither in lists and counts nor for
// uniqueness.
type Store interface {
	// Read returns the school's committed records. A single call sees one
	// consistent state; two calls may see two.
	Read(s school.ID) Reader

	// InTx runs fn, all of whose writes are kept together when it returns nil,
	// and all dropped when it returns an error or panics; InTx then returns that
	// error or panics likewise. Reads inside see the writes before them; nobody
	// outside sees any before the end. What one transaction has found with Find is
	// neither changed nor removed by another before the end, and what it has got
	// with Load is not removed.
	// fn may run more than once, so it must do nothing but pure work and calls
	// of tx. A transaction inside a transaction (on the same context, which fn
	// gets) is refused with an error. An unknown school is NotFound.
	InTx(ctx context.Context, s school.ID, fn func(ctx context.Context, tx Tx) error) error

	// Ready says why the store cannot serve now, nil when it can.
	Ready(ctx context.Context) error
}

// Reader is a school's committed records.
type Reader struct {
	School      SchoolReader
	Categories  CategoryReader
	Coupons     CouponReader
	Courses     CourseReader
	People      PersonReader
	Enrollments EnrollmentReader
	Groups      GroupReader
	Memberships MembershipReader
	Bulk        BulkReader
	Activities  ActivityReader
	Quizzes     QuizReader
	Assignments AssignmentReader
	Submissions SubmissionReader
	Events      Lister[event.Event]

	CourseAnalytics CourseAnalytics
	QuizScores      QuizScores
	RawAnswers      RawAnswers
}

// Tx is a school's records within a transaction. Only a Tx can write.
type Tx struct {
	School       SchoolReader
	Categories   CategoryRepo
	Coupons      CouponRepo
	Courses      CourseRepo
	People       PersonRepo
	Partnerships PartnershipRepo
	Enrollments  EnrollmentRepo
	Groups       GroupRepo
	Memberships  MembershipRepo
	Bulk         BulkRepo
	Activities   ActivityRepo
	Quizzes      QuizRepo
	Assignments  AssignmentRepo
	Submissions  SubmissionRepo
	Attempts     AttemptRepo
	QuizAttempts QuizAttemptRepo
	Events       EventLog
	Ledger       Ledger
	Jobs         JobRepo
}

// SchoolReader is the school's own record.
type SchoolReader interface {
	// Get returns the school, NotFound when it is unknown.
	Get(ctx context.Context) (school.School, error)
}
