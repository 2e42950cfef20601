package ports

import (
	"context"

	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// MaxTries is the maximum number of times that InTx runs a function that returns ErrChanged.
const MaxTries = 5

// ErrChanged means that records were changed or deleted after they were read and before they were
// locked, so that the operation has to be repeated. To clients it is Unavailable.
var ErrChanged error = fault.Unavailablef("Records were changed by another request. Try again later")

// Store separates the records of many schools. Every method takes the school and returns
// repositories bound to it: records of other schools do not exist in lists and counts, nor for
// uniqueness.
type Store interface {
	Loader
	Snapshots

	// Read returns the school's committed records. A single call sees one consistent state; two
	// calls may see two.
	Read(s school.ID) Reader

	// InTx runs fn in a transaction. If fn returns nil, all its writes are saved together; if it
	// returns an error or panics, none is, and InTx returns the error or panics as well. Reads in
	// the transaction see its earlier writes; other transactions see them only after the end. The
	// suffixes of the methods that fn calls name the locks that it holds until then.
	//
	// If ctx has a lock timeout (WithLockTimeout), no wait for a lock is longer.
	//
	// If fn returns ErrChanged, its writes are discarded and it runs again, at most MaxTries times.
	// It may run more than once for other reasons too, so it must do nothing but pure computation
	// and calls of tx. A transaction inside a transaction (on the same context, which fn receives)
	// returns an error. An unknown school is NotFound.
	InTx(ctx context.Context, s school.ID, fn func(ctx context.Context, tx Tx) error) error

	// InLongTx is InTx for operations on very many records, such as all of a course, of a file or
	// of a school: it has no time limit but that of ctx. A store may run only a few of them at a
	// time and let the others wait.
	InLongTx(ctx context.Context, s school.ID, fn func(ctx context.Context, tx Tx) error) error

	// AddPerson is a transaction of its own. It inserts the person of p if the school's
	// authentication method is one of p.Admitting and the email address is free (by
	// text.UniqueKey), and with the person the invitation and the job if the method is one of
	// p.Inviting. It returns the inserted person as lists show it; nil: it changed nothing. It
	// returns an error if another person has the id, or if the job is of another school. An unknown
	// school is NotFound.
	AddPerson(ctx context.Context, s school.ID, p NewPerson) (*person.Summary, error)

	// Ready returns nil if the store can serve requests now, and otherwise the reason.
	Ready(ctx context.Context) error
}

// Reader is a school's committed records.
type Reader struct {
	School       SchoolReader
	Keys         KeyReader
	Properties   PropertyReader
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
	QuizAttempts    QuizAttempts
	Completions     Completions
}

// Tx is a school's records within a transaction. Only a Tx can write.
type Tx struct {
	School       SchoolRepo
	Keys         KeyRepo
	Properties   PropertyRepo
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
	Reconciler   Reconciler
	Jobs         JobRepo
	Idempotency  IdempotencyRepo
}

// SchoolReader reads the school's own record and its totals.
type SchoolReader interface {
	// Get returns the school, or NotFound if it does not exist.
	Get(ctx context.Context) (school.School, error)

	// Summary returns the school as documents show it, or NotFound if it does not exist.
	Summary(ctx context.Context) (school.Summary, error)

	// CountPeople returns the number of people of the school.
	CountPeople(ctx context.Context) (int64, error)

	// StoredBytes returns the total size of the files of all submissions, in bytes.
	StoredBytes(ctx context.Context) (int64, error)
}

// SchoolRepo reads and writes the school's own record.
type SchoolRepo interface {
	SchoolReader

	// GetForUpdate returns the school and locks it for update.
	GetForUpdate(ctx context.Context) (school.School, error)

	// Save updates the school; a record of another school is an error.
	Save(ctx context.Context, s school.School) error
}
