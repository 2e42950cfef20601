package postgres

import (
	"context"
	"database/sql"
	"math"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/derived"
	"lyceum/adapters/postgres/learnerlists"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Pool returns the pool of the connections for requests.
func Pool(db *pgdb.DB) *sqlx.DB { return db.Pool() }

// Hold takes connections from the pool. The returned function puts them back.
func Hold(t testing.TB, db *pgdb.DB, connections int) (release func()) {
	t.Helper()
	held := make([]*sql.Conn, connections)
	for i := range held {
		var err error
		if held[i], err = db.Pool().Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		for _, c := range held {
			_ = c.Close()
		}
	}
}

// HashLookups contains the lookups by a school and a hash, by the index on the hash.
var HashLookups = map[string]string{
	"sessions_hash_key": sessionByHash, "sign_in_links_hash_key": signInLinkByHash, "learner_tokens_pkey": getTokenByHash,
}

// PeopleSQL returns the SQL statement for q on people, and its arguments.
func PeopleSQL(q query.Query, id school.ID) (string, []any) {
	s := personList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// PeopleAfterSQL returns the SQL statement for q on people, and its arguments. The page starts
// after the row with the given sort keys or, if backward is true, ends before it.
func PeopleAfterSQL(q query.Query, id school.ID, backward bool, keys ...string) (string, []any) {
	q.Cursor = &query.Cursor{Backward: backward}
	s := personList.SQL(q, id.UUID, keys...)
	return s.Text, s.Args
}

// CourseAnalyticsAfterSQL is like PeopleAfterSQL, for course analytics.
func CourseAnalyticsAfterSQL(q query.Query, id school.ID, backward bool, keys ...string) (string, []any) {
	q.Cursor = &query.Cursor{Backward: backward}
	s := learnerlists.CourseAnalytics.SQL(q, id.UUID, keys...)
	return s.Text, s.Args
}

// FollowersBehindSQL is the statement of FollowersBehind.
const FollowersBehindSQL = followersBehind

// CoursesSQL returns the SQL statement for q on courses, and its arguments.
func CoursesSQL(q query.Query, id school.ID) (string, []any) {
	s := courseList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// CouponsSQL returns the SQL statement for q on coupons, and its arguments.
func CouponsSQL(q query.Query, id school.ID) (string, []any) {
	s := couponList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// ChangesSQL returns the SQL statement for q on readable changes, and its arguments.
func ChangesSQL(q query.Query, id school.ID) (string, []any) {
	q, _ = feedRow{End: math.MaxInt64}.within(q)
	s := changeList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// AuditSQL returns the SQL statement for q on the audit trail, and its arguments.
func AuditSQL(q query.Query, id school.ID) (string, []any) {
	s := auditList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// AudienceSQL returns the SQL statement for q on the people of a course, and its arguments.
func AudienceSQL(q query.Query, id school.ID, of course.ID) (string, []any) {
	s := personList.SQL(q.And(query.HasAnyID(coursesAttr, []course.ID{of})), id.UUID)
	return s.Text, s.Args
}

// EraseAddressesSQL erases addresses of a person.
const EraseAddressesSQL = eraseAddresses

// FindWaitingPartsSQL finds the waiting parts about a person.
const FindWaitingPartsSQL = findWaitingParts

// The statements that delete old jobs.
const (
	DeleteExpiredBulkJobsSQL = deleteExpiredBulkJobs
	DeleteDeadJobsSQL        = deleteDeadJobs
)

// GroupsSQL returns the SQL statement for q on groups, and its arguments.
func GroupsSQL(q query.Query, id school.ID) (string, []any) {
	s := groupList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// MembershipsSQL returns the SQL statement for q on memberships, and its arguments.
func MembershipsSQL(q query.Query, id school.ID) (string, []any) {
	s := membershipList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// LearningSQL returns the SQL statement for q on the list of a table, and its arguments. The table
// must be a key of renderers.
func LearningSQL(table string, q query.Query, id school.ID) (string, []any) {
	s := renderers[table](q, id.UUID)
	return s.Text, s.Args
}

// AskedSQL is like LearningSQL, but also reports whether the statement is planned for its
// arguments. If sort keys are given, the page starts after the row that has them.
func AskedSQL(table string, q query.Query, id school.ID, keys ...string) (text string, args []any, varied bool) {
	s := renderers[table](q, id.UUID, keys...)
	return s.Text, s.Args, s.Varied
}

var renderers = map[string]func(q query.Query, school any, keys ...string) listsql.Statement{
	"activities": activityList.SQL, "quizzes": quizList.SQL, "assignments": assignmentList.SQL,
	"enrollments": enrollmentList.SQL, "submissions": submissionList.SQL, "events": eventList.SQL,
	"course_analytics": learnerlists.CourseAnalytics.SQL, "quiz_scores": learnerlists.QuizScores.SQL,
	"quiz_answers": learnerlists.RawAnswers.SQL, "quiz_attempts": quizAttemptList.SQL, "completions": learnerlists.Completions.SQL,
	"redemptions": redemptionList.SQL,
}

// LeaseSQL is the statement that leases a job.
var LeaseSQL = leaseJob

// These statements are not compiled from a query.
const (
	MembersSQL            = membersOf
	FindLinkSQL           = getLink
	InvitationSQL         = invitationOf
	EndLinksSQL           = expireLinks
	RemoveLinksSQL        = deleteLinksOf
	RemoveInvitationSQL   = deleteInvitationOf
	RemoveUsesOfPersonSQL = deleteRedemptionsOfPerson
	RemoveUsesOfCouponSQL = deleteRedemptionsOfCoupon
)

// Listing is a list of a table that a test creates.
type Listing struct {
	l *listsql.List[idRow, uuid.UUID]
}

type idRow struct {
	ID uuid.UUID `db:"id"`
}

// NewListing returns the list of a table. Its attributes are the text columns named in texts, which
// have fold columns, the columns named in others, the row's id as uuid, and the set tags.id, stored
// in sample_tags.
func NewListing(table string, texts, others []string) Listing {
	attrs := map[string]listsql.Column{}
	for _, name := range texts {
		attrs[name] = listsql.TextColumn(name)
	}
	for _, name := range others {
		attrs[name] = listsql.Column{Expr: "r." + name}
	}
	attrs["uuid"] = listsql.Column{Expr: "r.id"}
	attrs["tags.id"] = listsql.SetColumn("tag_id", "sample_tags", "sample_id")
	return Listing{listsql.New(
		listsql.Definition{Table: table, Columns: "r.id", Attrs: attrs},
		func(r idRow) (uuid.UUID, error) { return r.ID, nil },
	)}
}

// Page returns the IDs of a page.
func (l Listing) Page(ctx context.Context, s *Store, id school.ID, q query.Query) (query.Result[uuid.UUID], error) {
	return l.l.Page(ctx, s.session(id), q)
}

// FinalPlans returns the plans of the statements at the end of a load.
func FinalPlans(ctx context.Context, s *Store, id school.ID) (plans []string, err error) {
	tx, err := s.db.Pool().BeginTxx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, derived.LoadStatements()[0], id.UUID); err != nil { // the result applies to the other statements too
		return nil, err
	}
	for _, statement := range derived.LoadStatements()[1:] {
		var lines []string
		if err := tx.SelectContext(ctx, &lines, "EXPLAIN "+statement, id.UUID); err != nil {
			return nil, err
		}
		plans = append(plans, strings.Join(lines, "\n"))
	}
	return plans, nil
}

// Read returns the number of rows that a transaction has read so far, including its
// triggers and checks.
func Read(ctx context.Context, tx ports.Tx) (rows int64, err error) {
	err = tx.Courses.(courseRepo).session.GetRow(ctx, &rows,
		`SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables`)
	return rows, err
}

// PropertiesJSON and PropertyFolds return the values of the columns properties and property_folds.
var (
	PropertiesJSON = propertiesJSON
	PropertyFolds  = propertyFolds
)

// SchoolTables contains the tables from which the deletion of a school deletes all rows.
var SchoolTables = schoolTables

// StructureSQL returns the statements that update the attempts at a course and at a quiz after a
// change of the structure, with their arguments.
func StructureSQL(id school.ID, of course.ID, progress []int64, about quiz.ID) map[string][]any {
	return map[string][]any{
		saveProgress:  {id.UUID, of.UUID, pq.Array(progress)},
		gradeAttempts: {id.UUID, pq.Array([]string{about.String()})},
	}
}
