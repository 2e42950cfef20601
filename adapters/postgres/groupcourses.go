package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/group"
)

var coursesOfGroups = `SELECT r.* FROM ` +
	pgdb.ByKey("group_courses", "r.group_id, r.course_id", "group_id", "$2::uuid[]", "OFFSET 0") + ` ORDER BY r.group_id, r.course_id`

const (
	addGroupCourses = `
		INSERT INTO group_courses (school_id, group_id, course_id)
		SELECT $1, $2, k FROM unnest($3::uuid[]) k ON CONFLICT DO NOTHING`
	removeGroupCourses = `
		DELETE FROM group_courses WHERE school_id = $1 AND group_id = $2 AND course_id = ANY ($3::uuid[])`
	detachCourse = `DELETE FROM group_courses WHERE school_id = $1 AND course_id = $2`
)

// Courses returns the courses of each of the groups ids.
func (c groupRepo) Courses(ctx context.Context, ids []group.ID) (map[group.ID][]course.ID, error) {
	var rows []struct {
		Group  uuid.UUID `db:"group_id"`
		Course uuid.UUID `db:"course_id"`
	}
	if err := c.AllKeyed(ctx, len(ids), &rows, coursesOfGroups, c.SchoolID, pq.Array(pgdb.IDStrings(ids))); err != nil {
		return nil, err
	}
	found := map[group.ID][]course.ID{}
	for _, r := range rows {
		g := group.ID{UUID: r.Group}
		found[g] = append(found[g], course.ID{UUID: r.Course})
	}
	return found, nil
}

// AddCourses puts courses into the group.
func (c groupRepo) AddCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error) {
	if len(courses) == 0 { // nothing that would tell whether there is the group
		_, err := c.Get(ctx, id)
		return 0, err
	}
	return c.Exec(ctx, addGroupCourses, c.SchoolID, id.UUID, pq.Array(pgdb.IDStrings(courses)))
}

// RemoveCourses takes courses from the group.
func (c groupRepo) RemoveCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error) {
	return c.Exec(ctx, removeGroupCourses, c.SchoolID, id.UUID, pq.Array(pgdb.IDStrings(courses)))
}
