package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.CourseRepo = courseRepo{}

type courseRow struct {
	ID          uuid.UUID    `db:"id"`
	Name        string       `db:"name"`
	Permalink   string       `db:"permalink"`
	EnrollToken string       `db:"enroll_token"`
	Categories  pgdb.IDArray `db:"categories"`
	Instructors pgdb.IDArray `db:"instructors"`
	CreatedAt   time.Time    `db:"created_at"`
	UpdatedAt   time.Time    `db:"updated_at"`
}

type courseSummaryRow struct {
	courseRow
	EnrollmentsCount int64 `db:"enrollments_count"`
}

func (r courseRow) state() course.State {
	s := course.State{
		ID: course.ID{UUID: r.ID}, Name: r.Name, Permalink: r.Permalink, EnrollToken: r.EnrollToken,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	for _, id := range r.Categories {
		s.Categories = append(s.Categories, category.ID{UUID: id})
	}
	for _, id := range r.Instructors {
		s.Instructors = append(s.Instructors, person.PartnershipID{UUID: id})
	}
	return s
}

func (r courseRow) course() (course.ID, course.Course) {
	s := r.state()
	return s.ID, course.Restore(s)
}

func (r courseSummaryRow) summary() (course.Summary, error) {
	return course.Summary{State: r.state(), EnrollmentsCount: r.EnrollmentsCount}, nil
}

const (
	courseColumns = `
		r.id, r.name, r.permalink, r.enroll_token, r.created_at, r.updated_at,
		ARRAY (SELECT k.category_id FROM course_categories k
			WHERE k.school_id = r.school_id AND k.course_id = r.id ORDER BY k.category_id) AS categories,
		ARRAY (SELECT k.partnership_id FROM course_instructors k
			WHERE k.school_id = r.school_id AND k.course_id = r.id ORDER BY k.partnership_id) AS instructors`

	// What the row lacks was left beside it; the sum of both is the count.
	enrollmentsCount = `(r.enrollments_count + coalesce((SELECT sum(d.delta)::bigint FROM course_count_deltas d
		WHERE d.school_id = r.school_id AND d.course_id = r.id), 0))`
)

var courseList = listsql.List[courseSummaryRow, course.Summary]{
	Table:   "courses",
	Columns: courseColumns + ", " + enrollmentsCount + " AS enrollments_count",
	Attrs: map[string]listsql.Column{
		"uuid":              {Expr: "r.id"},
		"name":              listsql.TextColumn("name"),
		"permalink":         {Expr: "r.permalink", Fold: "r.permalink"},
		"enrollments_count": {Expr: enrollmentsCount},
		"created_at":        {Expr: "r.created_at"},
		"updated_at":        {Expr: "r.updated_at"},
		"enroll_token":      {Expr: "r.enroll_token", Fold: "r.enroll_token"},

		"categories.id":              listsql.SetColumn("category_id", "course_categories", "course_id"),
		"instructor_partnerships.id": listsql.SetColumn("partnership_id", "course_instructors", "course_id"),
	},
	Sort:    course.Schema.Default(),
	Convert: courseSummaryRow.summary,
}

type courseReader struct{ *session }

// List returns a page of courses.
func (c courseReader) List(ctx context.Context, q query.Query) (query.Result[course.Summary], error) {
	return courseList.Page(ctx, c.session, q)
}

// Get returns the course id.
func (c courseReader) Get(ctx context.Context, id course.ID) (course.Summary, error) {
	return courseList.One(ctx, c.session, id.UUID)
}

const courseByPermalink = `SELECT id FROM courses WHERE school_id = $1 AND permalink = $2`

// ByPermalink returns the id of the course with that permalink. A text that the
// database would not even read is none.
func (c courseReader) ByPermalink(ctx context.Context, permalink string) (course.ID, error) {
	var id course.ID
	if text.Clean("permalink", permalink) != nil {
		return id, fault.Missing()
	}
	err := c.GetRow(ctx, &id.UUID, courseByPermalink, c.SchoolID, permalink)
	return id, pgdb.Missing(err)
}

type courseRepo struct{ courseReader }

const findCourse = `SELECT ` + courseColumns + ` FROM courses r WHERE r.school_id = $1 AND r.id = $2 FOR NO KEY UPDATE OF r`

// Find returns the course id and locks the course.
func (c courseRepo) Find(ctx context.Context, id course.ID) (course.Course, error) {
	var row courseRow
	if err := c.GetRow(ctx, &row, findCourse, c.SchoolID, id.UUID); err != nil {
		return course.Course{}, pgdb.Missing(err)
	}
	return course.Restore(row.state()), nil
}

var loadCourses = `SELECT r.* FROM ` + pgdb.ByKey("courses", courseColumns, "id", "$2::uuid[]", "LIMIT 1 FOR KEY SHARE OF r")

// Load returns the courses ids and locks them against removal.
func (c courseRepo) Load(ctx context.Context, ids []course.ID) (map[course.ID]course.Course, error) {
	return load(ctx, c.session, loadCourses, ids, courseRow.course)
}
