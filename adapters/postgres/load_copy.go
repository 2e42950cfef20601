package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"lyceum/domain/event"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.LoadTx = (*loadTx)(nil)

// A loadTx is a bulk load in progress.
type loadTx struct {
	*session
	tx     *sql.Tx
	failed error          // the first error of Add
	rows   map[string]int // number of rows by table
	feed   feedEnd
}

// newLoadTx returns the bulk load of a school in tx.
func newLoadTx(s *Store, id school.ID, tx *sqlx.Tx) *loadTx {
	return &loadTx{session: &session{Session: s.db.SessionIn(tx, id.UUID), store: s}, tx: tx.Tx, rows: map[string]int{}}
}

// Tx implements ports.LoadTx.
func (l *loadTx) Tx() ports.Tx { return newTx(l.session) }

// Add implements ports.LoadTx. After an error it adds nothing: the transaction is
// aborted.
func (l *loadTx) Add(ctx context.Context, b ports.Batch) error {
	if l.failed == nil {
		l.failed = loadError(ctx, ctx.Err())
	}
	l.copyBatch(ctx, b)
	return l.failed
}

// copyRows copies records into a table, unless the load has failed before.
func copyRows[T any](ctx context.Context, l *loadTx, t *table[T], records []T) {
	if l.failed != nil || len(records) == 0 {
		return
	}
	l.failed = loadError(ctx, copyTo(ctx, l.tx, t, l.SchoolID, records))
	l.rows[t.name] += len(records)
}

func copyTo[T any](ctx context.Context, tx *sql.Tx, t *table[T], school uuid.UUID, records []T) (err error) {
	st, err := tx.PrepareContext(ctx, "COPY "+t.name+" ("+t.names()+") FROM STDIN")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for _, r := range records {
		if _, err := st.ExecContext(ctx, t.args(school, r)...); err != nil {
			return err
		}
	}
	_, err = st.ExecContext(ctx) // ends the COPY, so that the rows are checked
	return err
}

// feedEnd is the end of the school's event feed during a load. Before the first event of the load,
// locked is false and the other fields are zero.
type feedEnd struct {
	locked   bool
	position int64
	after    time.Time // earliest valid instant of an event
	last     time.Time // CreatedAt of the last event, as given
	lastAt   time.Time // CreatedAt of the last event, as stored
}

// A pair is a row of a table that consists of two references.
type pair struct{ first, second uuid.UUID }

func pairTable(name, first, second string) *table[pair] {
	return newTable(name, []column[pair]{
		{first, "uuid", func(p pair) any { return p.first }},
		{second, "uuid", func(p pair) any { return p.second }},
	})
}

var (
	courseCategoryTable   = pairTable("course_categories", "course_id", "category_id")
	courseInstructorTable = pairTable("course_instructors", "course_id", "partnership_id")
	groupCourseTable      = pairTable("group_courses", "group_id", "course_id")
	// allCourseTable is the table on which the view courses is defined, because COPY cannot write
	// to the view.
	allCourseTable = newTable("all_courses", courseTable.columns)
)

// copyBatch copies the records of b, referenced tables first.
func (l *loadTx) copyBatch(ctx context.Context, b ports.Batch) {
	var categories, instructors, groupCourses []pair
	for _, c := range states(b.Courses) {
		for _, id := range c.Categories {
			categories = append(categories, pair{c.ID.UUID, id.UUID})
		}
		for _, id := range c.Instructors {
			instructors = append(instructors, pair{c.ID.UUID, id.UUID})
		}
	}
	for _, c := range b.GroupCourses {
		groupCourses = append(groupCourses, pair{c.Group.UUID, c.Course.UUID})
	}
	var questions []numberedQuestion
	for _, q := range b.Quizzes {
		questions = append(questions, numberedQuestions(q.State())...)
	}
	var answers []attemptAnswer
	for _, a := range b.QuizAttempts {
		answers = append(answers, attemptAnswers(a.State())...)
	}
	copyRows(ctx, l, propertyTable, states(b.Properties))
	copyRows(ctx, l, categoryTable, states(b.Categories))
	copyRows(ctx, l, couponTable, states(b.Coupons))
	copyRows(ctx, l, personTable, states(b.People))
	copyRows(ctx, l, partnershipTable, b.Partnerships)
	copyRows(ctx, l, redemptionTable, b.Redemptions)
	copyRows(ctx, l, allCourseTable, states(b.Courses))
	copyRows(ctx, l, courseCategoryTable, categories)
	copyRows(ctx, l, courseInstructorTable, instructors)
	copyRows(ctx, l, quizTable, states(b.Quizzes))
	copyRows(ctx, l, questionTable, questions)
	copyRows(ctx, l, assignmentTable, states(b.Assignments))
	copyRows(ctx, l, activityTable, states(b.Activities))
	copyRows(ctx, l, groupTable, states(b.Groups))
	copyRows(ctx, l, groupCourseTable, groupCourses)
	copyRows(ctx, l, membershipTable, b.Memberships)
	copyRows(ctx, l, enrollmentTable, b.Enrollments)
	copyRows(ctx, l, attemptTable, states(b.Attempts))
	copyRows(ctx, l, completionTable, b.Completions)
	copyRows(ctx, l, quizAttemptTable, states(b.QuizAttempts))
	copyRows(ctx, l, quizAnswerTable, answers)
	copyRows(ctx, l, submissionTable, b.Submissions)
	if l.failed == nil && len(b.Events) > 0 {
		l.failed = loadError(ctx, l.append(ctx, b.Events))
	}
}

// openFeed locks the row of the feed until the end of the transaction, as eventLog.Append does.
const (
	openFeed = `
		INSERT INTO event_feeds AS f (school_id, position, last_at) VALUES ($1, 0, $2)
		ON CONFLICT (school_id) DO UPDATE SET position = f.position
		RETURNING position, last_at`
	closeFeed = `UPDATE event_feeds SET position = $2, last_at = $3 WHERE school_id = $1`
)

// append copies events to the end of the feed. They must be in the order of CreatedAt. Events
// before the current end of the feed get the time feed.after.
func (l *loadTx) append(ctx context.Context, es []event.Event) error {
	f := &l.feed
	if !f.locked {
		var lastAt time.Time
		row := l.tx.QueryRowContext(ctx, openFeed, l.SchoolID, es[0].CreatedAt)
		if err := row.Scan(&f.position, &lastAt); err != nil {
			return err
		}
		f.locked = true
		if f.position > 0 {
			f.after = lastAt.UTC().Add(time.Millisecond)
		}
	}
	for _, e := range es {
		if e.CreatedAt.Before(f.last) {
			return fmt.Errorf("postgres: the event of %s is added after that of %s", e.CreatedAt, f.last)
		}
		f.last = e.CreatedAt
	}
	stored := slices.Clone(es)
	for i, e := range stored {
		f.position++
		f.lastAt = e.CreatedAt
		if f.lastAt.Before(f.after) {
			f.lastAt = f.after
		}
		stored[i].Position, stored[i].CreatedAt = f.position, f.lastAt
	}
	copyRows(ctx, l, eventTable, stored)
	return l.failed
}

// endFeed saves the position and the time of the last event of the load.
func (l *loadTx) endFeed(ctx context.Context) error {
	if !l.feed.locked {
		return nil
	}
	_, err := l.tx.ExecContext(ctx, closeFeed, l.SchoolID, l.feed.position, l.feed.lastAt)
	return err
}
