package listsql

import "fmt"

// A course is in removal from BeginRemoval until ContinueRemoval has deleted its last record. Until
// then, lists and counts exclude its records.
const (
	// InRemoval selects the courses in removal. A partial index finds them, because there are few.
	InRemoval = `FROM all_courses h WHERE h.school_id = $1 AND h.removed_at IS NOT NULL`

	// CoursesInRemoval selects the IDs of the courses in removal.
	CoursesInRemoval    = `SELECT h.id ` + InRemoval
	activitiesInRemoval = `SELECT v.id FROM activities v WHERE v.school_id = $1 AND v.course_id IN (` + CoursesInRemoval + `)`
)

// NotInRemoval returns the condition that id is not among the IDs that the statement selects. The
// statement runs once. The planner assumes that a condition of this form is nearly always true. It
// would assume that a plain comparison is nearly always false, and would then not read a list in
// the order of its index.
func NotInRemoval(id, statement string) string {
	return fmt.Sprintf("nullif(%s = ANY (ARRAY (%s)), true) IS NOT NULL", id, statement)
}

// HideRemovedCourses hides rows of a list that belong to courses in removal.
var HideRemovedCourses = Removal{From: InRemoval, Rows: NotInRemoval("r.course_id", CoursesInRemoval)}

// HideRemovedActivities hides rows of a list that belong to activities of courses in removal.
var HideRemovedActivities = Removal{From: InRemoval, Rows: NotInRemoval("r.activity_id", activitiesInRemoval)}
