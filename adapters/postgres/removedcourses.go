package postgres

import (
	"fmt"

	"lyceum/adapters/postgres/listsql"
)

// The records of a course that is being removed stay until the removal has reached
// them. No list shows them, and no count contains them.
const (
	// There are hardly ever any, and an index on these alone finds them.
	inRemoval = `FROM all_courses h WHERE h.school_id = $1 AND h.removed_at IS NOT NULL`

	coursesInRemoval    = `SELECT h.id ` + inRemoval
	activitiesInRemoval = `SELECT v.id FROM activities v WHERE v.school_id = $1 AND v.course_id IN (` + coursesInRemoval + `)`
)

// outside is the condition that an id is not among those that a statement selects,
// which runs once. The planner takes this form for nearly always true; it would take
// a plain comparison for true of few rows, and read a list in another order.
func outside(id, statement string) string {
	return fmt.Sprintf("nullif(%s = ANY (ARRAY (%s)), true) IS NOT NULL", id, statement)
}

// ofRemovedCourse is the removal of a list whose rows have a course.
var ofRemovedCourse = listsql.Removal{From: inRemoval, Rows: outside("r.course_id", coursesInRemoval)}

// ofRemovedActivity is the removal of a list whose rows have an activity.
var ofRemovedActivity = listsql.Removal{From: inRemoval, Rows: outside("r.activity_id", activitiesInRemoval)}
