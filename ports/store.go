package ports

import (
	"context"

	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// MaxTries is how often InTx runs a function that returns ErrChanged.
const MaxTries = 5

// ErrChanged says that records were changed or removed after they were read and
// before they were locked, so that what was to be done must be done anew. To
// clients it is Unavailable.
var ErrChanged error = fault.Busyf("Records were changed by another request; try again later")

// Store keeps the records of many schools apart. Whoever reads or writes names
// the school first and gets repositories that know no other: another school's
// record does not exist for them, neither in lists and counts nor for
// uniqueness.
type Store interface {
	Loader
	Snapshots

	// Read returns the school's committed records. A single call sees one
	// consistent state; two calls may see two.
	Read(s school.ID) Reader

	// InTx runs fn, all of whose writes are kept together when it returns nil,
	// and all dropped when it returns an error or panics; InTx then returns that
	// error or panics likewise. Reads inside see the writes before them; nobody
	// outside sees any before the end. What one transaction has found with Find is
	// neither changed nor removed by another before the end, and what it has got
	// with Load is not removed.
	// When fn returns ErrChanged, its writes are dropped and it runs again, MaxTries
	// times at most. It may run more than once for other reasons too, so it must do
	// nothing but pure work and calls of tx. A transaction inside a transaction (on
	// the same context, which fn gets) is refused with an error. An unknown school is
	// NotFound.
	InTx(ctx context.Context, s school.ID, fn func(ctx context.Context, tx Tx) error) error

	// InLongTx is InTx for what touches very many records, such as all of a course, of
	// a file or of a school: no part of it has a limit in time but that of ctx. A store
	// may run only a few of them at a time and let the others wait.
	InLongTx(ctx context.Context, s school.ID, fn func(ctx context.Context, tx Tx) error) error

	// AddPerson is a transaction of its own. It adds the person of p when the
	// school's authentication method is one of p.Admitting and nobody has the e-mail
	// address (by its text.Key), and with the person the invitation and the job when
	// the method is one of p.Inviting. It reports whether it added the person;
	// otherwise it changes nothing. The id of another person, or a job of another
	// school, is an error. An unknown school is NotFound.
	AddPerson(ctx context.Context, s school.ID, p NewPerson) (bool, error)

	// Ready says why the store cannot serve now, nil when it can.
	Ready(ctx context.Context) error
}

// Reader is a school's committed records.
type Reader struct {
	School       SchoolReader
	Keys         KeyReader
	Categories   CategoryReader
	Coupons      CouponReader
	Redemptions  RedemptionReader
	Courses      CourseReader
	People       PersonReader
	Partnerships PartnershipReader
	Enrollments  EnrollmentReader
	Groups       GroupReader
	Memberships  MembershipReader
	Bulk         BulkReader
	Invitations  InvitationReader
	Activities   ActivityReader
	Structures   StructureReader
	Quizzes      QuizReader
	Assignments  AssignmentReader
	Submissions  SubmissionReader
	Events       Lister[event.Event]

	CourseAnalytics CourseAnalytics
	QuizScores      QuizScores
	RawAnswers      RawAnswers
	QuizRuns        QuizRuns
	Completions     Completions
}

// Tx is a school's records within a transaction. Only a Tx can write.
type Tx struct {
	School       SchoolRepo
	Keys         KeyRepo
	Categories   CategoryRepo
	Coupons      CouponRepo
	Redemptions  RedemptionRepo
	Courses      CourseRepo
	People       PersonRepo
	Partnerships PartnershipRepo
	Enrollments  EnrollmentRepo
	Groups       GroupRepo
	Memberships  MembershipRepo
	Bulk         BulkRepo
	Invitations  InvitationRepo
	Deliveries   DeliveryRepo
	Activities   ActivityRepo
	Structures   StructureRepo
	Quizzes      QuizRepo
	Assignments  AssignmentRepo
	Submissions  SubmissionRepo
	Attempts     AttemptRepo
	QuizAttempts QuizAttemptRepo
	Events       EventLog
	Ledger       Ledger
	Jobs         JobRepo
	Replays      ReplayRepo
}

// SchoolReader is the school's own record, and how much the school has.
type SchoolReader interface {
	// Get returns the school, NotFound when it is unknown.
	Get(ctx context.Context) (school.School, error)

	// CountPeople returns how many people the school has.
	CountPeople(ctx context.Context) (int64, error)

	// StoredBytes returns how many bytes the files of all submissions have.
	StoredBytes(ctx context.Context) (int64, error)
}

// SchoolRepo reads and writes the school's own record.
type SchoolRepo interface {
	SchoolReader

	// Find returns the school and locks it.
	Find(ctx context.Context) (school.School, error)

	// Save keeps the changed school; one that is another is refused.
	Save(ctx context.Context, s school.School) error
}
