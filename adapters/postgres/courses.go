package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/derived"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.CourseRepo = courseRepo{}

type courseColumnsRow struct {
	ID          uuid.UUID `db:"id"`
	Name        string    `db:"name"`
	Permalink   string    `db:"permalink"`
	EnrollToken string    `db:"enroll_token"`
	CreatedAt   time.Time `db:"created_at"`
	UpdatedAt   time.Time `db:"updated_at"`
	Properties  []byte    `db:"properties"`
}

type courseRow struct {
	courseColumnsRow
	Categories       pgdb.IDArray   `db:"categories"`
	Instructors      pgdb.IDArray   `db:"instructors"`
	EnrollmentsCount int64          `db:"enrollments_count"` // only in lists
	Defined          pq.StringArray `db:"defined"`           // only in lists
}

func (r courseRow) state() (course.State, error) {
	properties, err := parseProperties(course.Type, r.ID, r.Properties)
	return course.State{
		ID: course.ID{UUID: r.ID}, Name: r.Name, Permalink: r.Permalink, EnrollToken: r.EnrollToken,
		Categories: idsOf[category.ID](r.Categories), Instructors: idsOf[person.PartnershipID](r.Instructors),
		Properties: properties, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, err
}

func (r courseRow) summary() (course.Summary, error) {
	s, err := r.state()
	return course.Summary{State: s, EnrollmentsCount: r.EnrollmentsCount, Defined: r.Defined}, err
}

var courseColumns = listsql.RowColumns[courseColumnsRow]() + `,
	ARRAY (SELECT k.category_id FROM course_categories k
		WHERE k.school_id = r.school_id AND k.course_id = r.id ORDER BY k.category_id) AS categories,
	ARRAY (SELECT k.partnership_id FROM course_instructors k
		WHERE k.school_id = r.school_id AND k.course_id = r.id ORDER BY k.partnership_id) AS instructors`

var courseList = listsql.New(listsql.Definition{
	Table:   "courses",
	Columns: courseColumns + ", " + derived.EnrollmentsCount + " AS enrollments_count, " + definedNames(property.Courses),
	Defined: definedNames(property.Courses),
	Attrs: map[string]listsql.Column{
		"uuid":              {Expr: "r.id"},
		"name":              listsql.TextColumn("name"),
		"permalink":         {Expr: "r.permalink", Fold: "r.permalink"},
		"enrollments_count": {Expr: derived.EnrollmentsCount},
		"created_at":        {Expr: "r.created_at"},
		"updated_at":        {Expr: "r.updated_at"},
		"enroll_token":      {Expr: "r.enroll_token", Fold: "r.enroll_token"},

		"categories.id":              listsql.SetColumn("category_id", "course_categories", "course_id"),
		"instructor_partnerships.id": listsql.SetColumn("partnership_id", "course_instructors", "course_id"),
	},
	Sort: course.Schema.Default(),
}, courseRow.summary)

type courseReader struct {
	reader[course.ID, courseRow, course.Summary]
}

const courseByPermalink = `SELECT id FROM courses WHERE school_id = $1 AND permalink = $2`

// IDByPermalink implements ports.CourseReader.
func (r courseReader) IDByPermalink(ctx context.Context, permalink string) (course.ID, error) {
	var id course.ID
	if text.CheckText("permalink", permalink) != nil { // PostgreSQL would reject the text
		return id, fault.RecordNotFound()
	}
	err := r.session.GetRow(ctx, &id.UUID, courseByPermalink, r.session.SchoolID, permalink)
	return id, pgdb.Missing(err)
}

// courseTable writes to the view courses. COPY cannot write to a view; see allCourseTable.
var courseTable = newTable("courses", []column[course.State]{
	{"id", "uuid", func(s course.State) any { return s.ID.UUID }},
	{"name", "text", func(s course.State) any { return s.Name }},
	{"name_fold", "text", func(s course.State) any { return text.Fold(s.Name) }},
	{"permalink", "text", func(s course.State) any { return s.Permalink }},
	{"enroll_token", "text", func(s course.State) any { return s.EnrollToken }},
	{"created_at", "timestamptz", func(s course.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s course.State) any { return s.UpdatedAt }},
	{"properties", "jsonb", func(s course.State) any { return propertiesJSON(s.Properties) }},
	{"property_folds", "jsonb", func(s course.State) any { return propertyFolds(s.Properties) }},
})

var courseRecords = uniqueRecords[courseRow, course.State, course.Course]{
	table: courseTable, columns: courseColumns, toState: courseRow.state, restore: course.Restore,
	typeName: course.Type, field: "permalink", key: "permalink",
	keyOf:   func(s course.State) string { return s.Permalink },
	getLock: "FOR NO KEY UPDATE OF r", manyLock: "FOR KEY SHARE OF r",
}.prepared()

type courseRepo struct {
	uniqueRepo[course.ID, courseRow, course.Summary, course.State, course.Course]
}

const (
	lockCourseForUpdate = `SELECT id FROM courses WHERE school_id = $1 AND id = $2 FOR NO KEY UPDATE`

	addCourseCategories = `
		INSERT INTO course_categories (school_id, course_id, category_id)
		SELECT $1, $2, k FROM unnest($3::uuid[]) k ON CONFLICT DO NOTHING`
	addCourseInstructors = `
		INSERT INTO course_instructors (school_id, course_id, partnership_id)
		SELECT $1, $2, k FROM unnest($3::uuid[]) k ON CONFLICT DO NOTHING`
	deleteCourseCategories = `
		DELETE FROM course_categories WHERE school_id = $1 AND course_id = $2 AND category_id <> ALL ($3::uuid[])`
	deleteCourseInstructors = `
		DELETE FROM course_instructors WHERE school_id = $1 AND course_id = $2 AND partnership_id <> ALL ($3::uuid[])`
	detachCategory   = `DELETE FROM course_categories WHERE school_id = $1 AND category_id = $2`
	detachInstructor = `DELETE FROM course_instructors WHERE school_id = $1 AND partnership_id = $2`
)

// GetForUpdate implements ports.CourseRepo. A statement that waits for a lock reads other tables as
// they were before, so the statement that reads the categories and instructors follows the lock.
func (r courseRepo) GetForUpdate(ctx context.Context, id course.ID) (course.Course, error) {
	var locked uuid.UUID
	if err := r.session.GetRow(ctx, &locked, lockCourseForUpdate, r.session.SchoolID, id.UUID); err != nil {
		return course.Course{}, pgdb.Missing(err)
	}
	return r.uniqueRepo.GetForUpdate(ctx, id)
}

// IDByPermalink implements ports.CourseRepo.
func (r courseRepo) IDByPermalink(ctx context.Context, permalink string) (course.ID, error) {
	return courseReader{r.reader}.IDByPermalink(ctx, permalink)
}

// IDsByPermalink implements ports.CourseRepo.
func (r courseRepo) IDsByPermalink(ctx context.Context, permalinks []string) (map[string]course.ID, error) {
	return r.idsByKey(ctx, storable(permalinks))
}

// Add implements ports.CourseRepo.
func (r courseRepo) Add(ctx context.Context, added course.Course) error {
	if err := r.uniqueRepo.Add(ctx, added); err != nil {
		return err
	}
	return r.relate(ctx, added.State())
}

// Save implements ports.CourseRepo.
func (r courseRepo) Save(ctx context.Context, changed course.Course) error {
	if err := r.uniqueRepo.Save(ctx, changed); err != nil {
		return err
	}
	s := changed.State()
	if err := r.session.write(ctx, deleteCourseCategories, r.session.SchoolID, s.ID.UUID, idArray(s.Categories)); err != nil {
		return err
	}
	if err := r.session.write(ctx, deleteCourseInstructors, r.session.SchoolID, s.ID.UUID, idArray(s.Instructors)); err != nil {
		return err
	}
	return r.relate(ctx, s)
}

// relate adds the categories and instructors of a course.
func (r courseRepo) relate(ctx context.Context, s course.State) error {
	var err error
	if len(s.Categories) > 0 {
		err = r.session.write(ctx, addCourseCategories, r.session.SchoolID, s.ID.UUID, idArray(s.Categories))
	}
	if err == nil && len(s.Instructors) > 0 {
		err = r.session.write(ctx, addCourseInstructors, r.session.SchoolID, s.ID.UUID, idArray(s.Instructors))
	}
	// A category or a partnership may have been deleted since the course was read.
	return r.session.Race(err, pqerror.ForeignKeyViolation, err)
}

// DetachCategory implements ports.CourseRepo.
func (r courseRepo) DetachCategory(ctx context.Context, id category.ID) error {
	return r.session.write(ctx, detachCategory, r.session.SchoolID, id.UUID)
}

// DetachInstructor implements ports.CourseRepo.
func (r courseRepo) DetachInstructor(ctx context.Context, id person.PartnershipID) error {
	return r.session.write(ctx, detachInstructor, r.session.SchoolID, id.UUID)
}
