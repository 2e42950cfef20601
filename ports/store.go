package ports

import (
	"context"

	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
)

// MaxTries is the maximum number of times that InTx runs a function that returns ErrChanged.
const MaxTries = 5

// ErrChanged means that records were changed or deleted after they were read and before they were
// locked, so that the operation must be repeated. Clients see it as Unavailable.
var ErrChanged error = fault.Unavailablef("Records were changed by another request. Try again later")

// Store separates the records of many schools. Every method except Ready takes a school, and its
// repositories are bound to that school: they do not list or count records of other schools, and
// ignore them for uniqueness.
type Store interface {
	Loader
	Snapshots

	// Read returns the repositories that read the school's committed records. A single call of
	// their methods sees one consistent state; two calls may see different states.
	Read(s school.ID) Reader

	// InTx runs fn in a transaction. If fn returns nil, all its writes are saved together. If fn
	// returns an error or panics, none of them is saved, and InTx returns the error or panics as
	// well. Reads in the transaction see its earlier writes. Other transactions see the writes only
	// after the end of the transaction. The suffixes of the methods that fn calls say which locks
	// the transaction holds until its end.
	//
	// If ctx has a lock timeout (WithLockTimeout), each wait for a lock, or for a connection to the
	// store, is limited to it. Otherwise a store may limit it to a time of its own; InTx then returns an
	// error that wraps ErrLockTimeout too.
	//
	// If fn returns ErrChanged, its writes are discarded and InTx runs it again, at most MaxTries
	// times in total. InTx may run fn more than once for other reasons too, so fn must have no side
	// effects other than those of tx. Transactions cannot be nested: with the context that fn
	// receives, every transaction returns an error. InTx returns NotFound for an unknown school.
	InTx(ctx context.Context, s school.ID, fn func(ctx context.Context, tx Tx) error) error

	// InLongTx is like InTx, but for operations on very many records, such as all records of a
	// course, a file or a school. Its only time limit is the deadline of ctx. A store may run only
	// a few long transactions at a time and let the others wait.
	InLongTx(ctx context.Context, s school.ID, fn func(ctx context.Context, tx Tx) error) error

	// AddPerson runs a transaction of its own. It inserts the person in p if the school's
	// authentication method is one of p.Admitting and the email address (by text.UniqueKey) is not
	// taken. If the method is also one of p.Inviting, it inserts the invitation and the job.
	// AddPerson returns the inserted person as it appears in lists, or nil if it changed nothing.
	// It returns an error if another person has the id or if the job belongs to another school, and
	// NotFound for an unknown school.
	AddPerson(ctx context.Context, s school.ID, p NewPerson) (*person.Summary, error)

	// Ready returns nil if the store can serve requests now, and otherwise the reason.
	Ready(ctx context.Context) error
}

// Reader reads a school's committed records.
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
	SignIns      SignInReader
	Tokens       TokenReader
	Activities   ActivityReader
	Structures   StructureReader
	Quizzes      QuizReader
	Assignments  AssignmentReader
	Submissions  SubmissionReader
	Events       Lister[event.Event]
	Changes      ChangeReader
	Audit        AuditReader
	Webhooks     WebhookReader

	WebhookDeliveries Lister[webhook.Delivery]

	CourseAnalytics CourseAnalytics
	QuizScores      QuizScores
	RawAnswers      RawAnswers
	QuizAttempts    QuizAttempts
	Completions     Completions
	Statistics      Statistics
}

// Tx reads and writes a school's records within a transaction. Only a Tx can write.
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
	SignIns      SignInRepo
	Tokens       TokenRepo
	Deliveries   DeliveryRepo
	Activities   ActivityRepo
	Structures   StructureRepo
	Quizzes      QuizRepo
	Assignments  AssignmentReader
	Submissions  SubmissionRepo
	Attempts     AttemptRepo
	QuizAttempts QuizAttemptRepo
	Events       EventLog
	Audit        AuditLog
	Followers    FollowerRepo
	Webhooks     WebhookRepo
	Reconciler   Reconciler
	Jobs         JobRepo
	Idempotency  IdempotencyRepo
}

// SchoolReader reads the school's own record and its totals.
type SchoolReader interface {
	// Get returns the school, or NotFound if it does not exist.
	Get(ctx context.Context) (school.School, error)

	// Summary returns the school with the attributes that the API shows, or NotFound if it does not
	// exist.
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

	// GetForShare returns the school and locks it for share: GetForUpdate of another transaction
	// waits, GetForShare need not wait. Do not call GetForUpdate after it in the same transaction,
	// because two such transactions would wait for each other.
	GetForShare(ctx context.Context) (school.School, error)

	// Save updates the school. It returns an error if s is another school, and a Taken fault if
	// another school has its slug. If the name has changed, it also returns a Taken fault if another
	// school has the same name according to school.SameName. Until the end of the transaction,
	// Loader.LoadNewSchool and Save of other transactions wait to take the same name.
	Save(ctx context.Context, s school.School) error
}
