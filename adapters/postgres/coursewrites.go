package postgres

import (
	"context"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/text"
)

const (
	addCourse = `
		INSERT INTO courses (school_id, id, name, name_fold, permalink, enroll_token, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (school_id, permalink) DO NOTHING`
	addCourseCategories = `
		INSERT INTO course_categories (school_id, course_id, category_id)
		SELECT $1, $2, k FROM unnest($3::uuid[]) k ON CONFLICT DO NOTHING`
	addCourseInstructors = `
		INSERT INTO course_instructors (school_id, course_id, partnership_id)
		SELECT $1, $2, k FROM unnest($3::uuid[]) k ON CONFLICT DO NOTHING`
	saveCourse = `
		UPDATE courses SET name = $3, name_fold = $4, permalink = $5, enroll_token = $6, created_at = $7, updated_at = $8
		WHERE school_id = $1 AND id = $2`
	dropCourseCategories = `
		DELETE FROM course_categories WHERE school_id = $1 AND course_id = $2 AND category_id <> ALL ($3::uuid[])`
	dropCourseInstructors = `
		DELETE FROM course_instructors WHERE school_id = $1 AND course_id = $2 AND partnership_id <> ALL ($3::uuid[])`
	detachCategory = `DELETE FROM course_categories WHERE school_id = $1 AND category_id = $2`
)

var courseRivals = rivalsOf("courses", "permalink")

// Add keeps a new course with its categories and instructors.
func (c courseRepo) Add(ctx context.Context, added course.Course) error {
	s := added.State()
	if err := c.add(ctx, c.permalink(s), s.ID.UUID, addCourse, c.args(s)...); err != nil {
		return err
	}
	return c.relate(ctx, s)
}

// Save keeps a changed course. What it stands under and who instructs it stands
// in tables of their own.
func (c courseRepo) Save(ctx context.Context, changed course.Course) error {
	s := changed.State()
	if err := c.save(ctx, c.permalink(s), s.ID.UUID, saveCourse, c.args(s)...); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, dropCourseCategories, c.SchoolID, s.ID.UUID, pq.Array(pgdb.IDStrings(s.Categories))); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, dropCourseInstructors, c.SchoolID, s.ID.UUID, pq.Array(pgdb.IDStrings(s.Instructors))); err != nil {
		return err
	}
	return c.relate(ctx, s)
}

func (c courseRepo) args(s course.State) []any {
	return []any{c.SchoolID, s.ID.UUID, s.Name, text.Fold(s.Name), s.Permalink, s.EnrollToken, s.CreatedAt, s.UpdatedAt}
}

func (c courseRepo) permalink(s course.State) unique {
	return unique{field: "permalink", holder: course.Type, rivals: courseRivals, value: s.Permalink}
}

// relate puts the course under its categories and gives it its instructors.
func (c courseRepo) relate(ctx context.Context, s course.State) error {
	var err error
	if len(s.Categories) > 0 {
		_, err = c.Exec(ctx, addCourseCategories, c.SchoolID, s.ID.UUID, pq.Array(pgdb.IDStrings(s.Categories)))
	}
	if err == nil && len(s.Instructors) > 0 {
		_, err = c.Exec(ctx, addCourseInstructors, c.SchoolID, s.ID.UUID, pq.Array(pgdb.IDStrings(s.Instructors)))
	}
	// One of them may have been removed since the course was read.
	return c.Race(err, pqerror.ForeignKeyViolation, err)
}

// DetachCategory takes the category from all courses.
func (c courseRepo) DetachCategory(ctx context.Context, id category.ID) error {
	_, err := c.Exec(ctx, detachCategory, c.SchoolID, id.UUID)
	return err
}
