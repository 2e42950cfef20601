package postgres

import (
	"context"
	"fmt"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/school"
)

// schoolTables contains all tables with rows of schools. Each table comes before the tables that it
// refers to, and after the tables whose triggers write to it.
var schoolTables = []string{
	"webhook_deliveries", "webhook_endpoints", "followers", "recorded_responses", "jobs", "bulk_parts", "bulk_jobs",
	"learner_tokens", "sessions", "sign_in_links", "invitation_links", "invitations", "invitation_days", "invitation_deliveries", "redemptions", "coupons",
	"events", "event_gaps", "event_feeds",
	"quiz_answers", "quiz_scores", "quiz_attempts", "submissions", "completions", "course_attempts",
	"enrollments", "course_analytics_rows", "memberships", "group_courses", "groups", "group_count_deltas",
	"activities", "quiz_questions", "quizzes", "assignments",
	"course_categories", "course_instructors", "categories", "all_courses", "course_count_deltas",
	"partnerships", "people", "property_definitions", "api_keys",
	"changes", "change_feeds",
}

const deleteSchool = `DELETE FROM schools WHERE id = $1`

// deleteRowsOf returns the statement that deletes at most $2 rows of a table.
func deleteRowsOf(table string) string {
	return fmt.Sprintf(`DELETE FROM %[1]s WHERE school_id = $1 AND ctid = ANY (ARRAY (
		SELECT ctid FROM %[1]s WHERE school_id = $1 LIMIT $2))`, table)
}

// Delete implements ports.Schools.
func (c schools) Delete(ctx context.Context, id school.ID, most int) (gone bool, err error) {
	err = c.store.db.InTx(ctx, id.UUID, func(ctx context.Context, tx *pgdb.Session) error {
		gone = false
		rest := most
		for _, table := range schoolTables {
			n, err := tx.Exec(ctx, deleteRowsOf(table), id.UUID, rest)
			if rest -= n; err != nil || rest <= 0 {
				return err
			}
		}
		_, err := tx.Exec(ctx, deleteSchool, id.UUID)
		gone = err == nil
		return err
	})
	if pq.As(err, pqerror.ForeignKeyViolation) != nil {
		gone, err = false, nil // a concurrent transaction has added records
	}
	gone = gone && err == nil
	if gone {
		c.store.knownSchools.Delete(id)
	}
	return gone, err
}
