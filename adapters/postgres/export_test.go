package postgres

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/ledger"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Pools returns pools of the connections for requests, for long transactions,
// and for exports and imports. They end with the test.
func Pools(t testing.TB, db *DB) []*sql.DB {
	t.Helper()
	pools := []*sql.DB{db.pool.DB, sql.OpenDB(db.longs), sql.OpenDB(db.bulk)}
	t.Cleanup(func() { _ = errors.Join(pools[1].Close(), pools[2].Close()) })
	return pools
}

// Hold takes connections of the pool, and returns what gives them back.
func Hold(t testing.TB, db *DB, connections int) (release func()) {
	t.Helper()
	held := make([]*sql.Conn, connections)
	for i := range held {
		var err error
		if held[i], err = db.pool.Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		for _, c := range held {
			_ = c.Close()
		}
	}
}

// ListenerDSN returns the DSN of the connection that listens.
func ListenerDSN(db *DB) string { return db.bell.dsn }

// SpreadHosts is spreadHosts.
var SpreadHosts = spreadHosts

// SetReadLimit makes a pool anew whose connections wait for limit at most.
func SetReadLimit(db *DB, dsn string, limit time.Duration) error {
	params, err := parameters(dsn, Config{}.withDefaults())
	if err != nil {
		return err
	}
	c, err := newConnector(params, limit, &db.era)
	if err != nil {
		return err
	}
	_ = db.pool.Close()
	db.pool = sqlx.NewDb(sql.OpenDB(c), "postgres")
	return nil
}

// SetTakeBackAfter sets how long a server has run before it takes leases back. Call
// it before anything uses db.
func SetTakeBackAfter(db *DB, d time.Duration) { db.presence.wait = d }

// SetPulse makes a listener that is yet to come try its connection so often.
func SetPulse(db *DB, pulse time.Duration) { db.bell.pulse = pulse }

// Statements is the cache of prepared statements on its own.
type Statements struct {
	c *statements
	s *Store
}

// NewStatements returns an empty cache of at most limit texts.
func NewStatements(db *DB, limit int) Statements {
	s := New(db)
	s.stmts = newStatements(db.pool, limit)
	return Statements{c: s.stmts, s: s}
}

// Use runs text, which selects one number.
func (s Statements) Use(ctx context.Context, text string) error {
	var n int
	return s.s.session(school.ID{}).get(ctx, &n, text)
}

// Kept returns how many texts the cache knows.
func (s Statements) Kept() int { return s.c.recent.Len() }

// Prepared returns how many of them are prepared.
func (s Statements) Prepared() int {
	n := 0
	for e := s.c.recent.Front(); e != nil; e = e.Next() {
		if e.Value.(*held).prepared != nil {
			n++
		}
	}
	return n
}

// PeopleSQL returns the statement of q on people, with its values.
func PeopleSQL(q query.Query, id school.ID) (string, []any) {
	s := personList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// PeopleAfterSQL returns the statement of q on people after a row with such sort
// keys or, with backward, before it; with its values.
func PeopleAfterSQL(q query.Query, id school.ID, backward bool, keys ...string) (string, []any) {
	q.Cursor = &query.Cursor{Backward: backward}
	s := personList.SQL(q, id.UUID, keys...)
	return s.Text, s.Args
}

// CourseAnalyticsAfterSQL is the like of course analytics.
func CourseAnalyticsAfterSQL(q query.Query, id school.ID, backward bool, keys ...string) (string, []any) {
	q.Cursor = &query.Cursor{Backward: backward}
	s := courseAnalyticsList.SQL(q, id.UUID, keys...)
	return s.Text, s.Args
}

// CoursesSQL returns the statement of q on courses, with its values.
func CoursesSQL(q query.Query, id school.ID) (string, []any) {
	s := courseList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// CouponsSQL returns the statement of q on coupons, with its values.
func CouponsSQL(q query.Query, id school.ID) (string, []any) {
	s := couponList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// GroupsSQL returns the statement of q on groups, with its values.
func GroupsSQL(q query.Query, id school.ID) (string, []any) {
	s := groupList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// MembershipsSQL returns the statement of q on memberships, with its values.
func MembershipsSQL(q query.Query, id school.ID) (string, []any) {
	s := membershipList.SQL(q, id.UUID)
	return s.Text, s.Args
}

// LearningSQL returns the statement of q on a list of what is taught and learned,
// by the table, with its values.
func LearningSQL(table string, q query.Query, id school.ID) (string, []any) {
	s := renderers[table](q, id.UUID)
	return s.Text, s.Args
}

// AskedSQL is LearningSQL after a row with such sort keys, if there are any, and
// reports whether the statement is planned for its own values.
func AskedSQL(table string, q query.Query, id school.ID, keys ...string) (text string, args []any, varied bool) {
	s := renderers[table](q, id.UUID, keys...)
	return s.Text, s.Args, s.Varied
}

var renderers = map[string]func(q query.Query, school any, keys ...string) listsql.Statement{
	"activities": activityList.SQL, "quizzes": quizList.SQL, "assignments": assignmentList.SQL,
	"enrollments": enrollmentList.SQL, "submissions": submissionList.SQL, "events": eventList.SQL,
	"course_analytics": courseAnalyticsList.SQL, "quiz_scores": quizScoreList.SQL,
	"quiz_answers": rawAnswerList.SQL, "quiz_attempts": quizRunList.SQL, "completions": completionList.SQL,
	"redemptions": redemptionList.SQL,
}

// The statements that are not made of a query.
const (
	LeaseSQL              = leaseJob
	MembersSQL            = membersOf
	FindLinkSQL           = findLink
	InvitationSQL         = invitationOf
	EndLinksSQL           = endLinks
	RemoveLinksSQL        = removeLinksOf
	RemoveInvitationSQL   = removeInvitationOf
	RemoveUsesOfPersonSQL = removeRedemptionsOfPerson
	RemoveUsesOfCouponSQL = removeRedemptionsOfCoupon
)

// Migrations are the files of the migrations.
func Migrations() fs.FS {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err)
	}
	return files
}

// MigrateTo is Migrate with other migrations.
func MigrateTo(ctx context.Context, db *DB, files fs.FS, logger *slog.Logger) error {
	return migrate(ctx, db, files, logger)
}

// Listing is a list of a test's own table.
type Listing struct {
	l listsql.List[idRow, uuid.UUID]
}

type idRow struct {
	ID uuid.UUID `db:"id"`
}

// NewListing declares a list: the columns by attribute, texts with their folds
// beside them, and the set tags.id in the table sample_tags.
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
	return Listing{listsql.List[idRow, uuid.UUID]{
		Table: table, Columns: "r.id", Attrs: attrs,
		Convert: func(r idRow) (uuid.UUID, error) { return r.ID, nil },
	}}
}

// Page returns the ids of a page.
func (l Listing) Page(ctx context.Context, s *Store, id school.ID, q query.Query) (query.Result[uuid.UUID], error) {
	return l.l.Page(ctx, s.session(id), q)
}

// SettlingPlans returns the plans of the statements that end a load.
func SettlingPlans(ctx context.Context, s *Store, id school.ID) (plans []string, err error) {
	tx, err := s.db.pool.BeginTxx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, settling()[0], id.UUID); err != nil { // what holds for the others
		return nil, err
	}
	for _, statement := range settling()[1:] {
		var lines []string
		if err := tx.SelectContext(ctx, &lines, "EXPLAIN "+statement, id.UUID); err != nil {
			return nil, err
		}
		plans = append(plans, strings.Join(lines, "\n"))
	}
	return plans, nil
}

// Read returns how many rows a transaction has read so far, by those who count
// and check too.
func Read(ctx context.Context, tx ports.Tx) (rows int64, err error) {
	err = tx.Courses.(courseRepo).get(ctx, &rows,
		`SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables`)
	return rows, err
}

// Derivations returns the values of derivations in their order.
func Derivations() (values []ledger.Value) {
	for _, d := range derivations {
		values = append(values, d.values...)
	}
	return values
}
