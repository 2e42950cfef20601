package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/derived"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.GroupReader = groupReader{}
	_ ports.GroupRepo   = groupRepo{}
)

type groupRow struct {
	ID          uuid.UUID `db:"id"`
	Name        string    `db:"name"`
	EnrollToken string    `db:"enroll_token"`
	CreatedAt   time.Time `db:"created_at"`
	UpdatedAt   time.Time `db:"updated_at"`
	Properties  []byte    `db:"properties"`
}

type groupSummaryRow struct {
	groupRow
	MembershipCount int64          `db:"membership_count"`
	Defined         pq.StringArray `db:"defined"`
}

func (r groupRow) state() (group.State, error) {
	properties, err := parseProperties(group.Type, r.ID, r.Properties)
	return group.State{
		ID: group.ID{UUID: r.ID}, Name: r.Name, EnrollToken: r.EnrollToken, Properties: properties,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, err
}

func (r groupSummaryRow) summary() (group.Summary, error) {
	s, err := r.state()
	return group.Summary{State: s, MembershipCount: r.MembershipCount, Defined: r.Defined}, err
}

// groupCoursesAttr is the set of the courses of a group. It is not in group.Schema, because the
// records of groups do not contain it.
var groupCoursesAttr = query.Attr{Source: "courses.id", Kind: query.UUIDs, Nullable: true}

var groupColumns = listsql.RowColumns[groupRow]()

var groupList = listsql.New(listsql.Definition{
	Table:   "groups",
	Columns: groupColumns + ", " + derived.MembershipCount + " AS membership_count, " + definedNames(property.Groups),
	Defined: definedNames(property.Groups),
	Attrs: map[string]listsql.Column{
		"uuid":                  {Expr: "r.id"},
		"name":                  listsql.TextColumn("name"),
		"membership_count":      {Expr: derived.MembershipCount},
		"created_at":            {Expr: "r.created_at"},
		"updated_at":            {Expr: "r.updated_at"},
		groupCoursesAttr.Source: listsql.SetColumn("course_id", "group_courses", "group_id"),
		"enroll_token":          {Expr: "r.enroll_token", Fold: "r.enroll_token"},
	},
	Sort: group.Schema.Default(),
}, groupSummaryRow.summary)

var groupTable = newTable("groups", []column[group.State]{
	{"id", "uuid", func(s group.State) any { return s.ID.UUID }},
	{"name", "text", func(s group.State) any { return s.Name }},
	{"name_key", "text", func(s group.State) any { return text.UniqueKey(s.Name) }},
	{"name_fold", "text", func(s group.State) any { return text.Fold(s.Name) }},
	{"enroll_token", "text", func(s group.State) any { return s.EnrollToken }},
	{"created_at", "timestamptz", func(s group.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s group.State) any { return s.UpdatedAt }},
	{"properties", "jsonb", func(s group.State) any { return propertiesJSON(s.Properties) }},
	{"property_folds", "jsonb", func(s group.State) any { return propertyFolds(s.Properties) }},
})

// GetForUpdate takes the strongest row lock and GetManyForShare the weakest. The lock of the
// counter trigger is between these two, so that GetManyForShare does not wait for people who join
// concurrently. Save takes the strongest lock too: an update alone would not wait for
// GetManyForShare.
var groupRecords = uniqueRecords[groupSummaryRow, group.State, group.Group]{
	table: groupTable, columns: groupColumns, toState: groupSummaryRow.state, restore: group.Restore,
	typeName: group.Type, field: "name", key: "name_key",
	keyOf:   func(s group.State) string { return text.UniqueKey(s.Name) },
	getLock: "FOR UPDATE", manyLock: "FOR KEY SHARE",
	save: `WITH locked AS MATERIALIZED (
			SELECT g.id FROM groups g WHERE g.school_id = $1 AND g.id = $2 FOR UPDATE
		) ` + groupTable.update() + ` AND` + pgdb.AfterLock,
}.prepared()

type groupReader struct {
	reader[group.ID, groupSummaryRow, group.Summary]
}

// ListWithCourses implements ports.GroupReader.
func (r groupReader) ListWithCourses(ctx context.Context, courses []course.ID, q query.Query) (query.Result[group.Summary], error) {
	return r.List(ctx, q.And(query.HasAnyID(groupCoursesAttr, courses)))
}

type groupRepo struct {
	uniqueRepo[group.ID, groupSummaryRow, group.Summary, group.State, group.Group]
}

// ListWithCourses implements ports.GroupReader.
func (r groupRepo) ListWithCourses(ctx context.Context, courses []course.ID, q query.Query) (query.Result[group.Summary], error) {
	return groupReader{r.reader}.ListWithCourses(ctx, courses, q)
}

const (
	deleteGroup = `
		WITH list AS (DELETE FROM group_courses WHERE school_id = $1 AND group_id = $2),
		deltas AS (DELETE FROM group_count_deltas WHERE school_id = $1 AND group_id = $2)
		DELETE FROM groups WHERE school_id = $1 AND id = $2`
	addGroupCourses = `
		INSERT INTO group_courses (school_id, group_id, course_id)
		SELECT $1, $2, k FROM unnest($3::uuid[]) k ON CONFLICT DO NOTHING`
	removeGroupCourses = `
		DELETE FROM group_courses WHERE school_id = $1 AND group_id = $2 AND course_id = ANY ($3::uuid[])`
	detachCourse = `DELETE FROM group_courses WHERE school_id = $1 AND course_id = $2`
)

var coursesOfGroups = `SELECT r.* FROM ` +
	pgdb.ByKey("group_courses", "r.group_id, r.course_id", "group_id", "$2::uuid[]", "OFFSET 0") + ` ORDER BY r.group_id, r.course_id`

// groupCourseRow is a row of the table group_courses.
type groupCourseRow struct {
	Group  uuid.UUID `db:"group_id"`
	Course uuid.UUID `db:"course_id"`
}

func (r groupCourseRow) groupCourse() (ports.GroupCourse, error) {
	return ports.GroupCourse{Group: group.ID{UUID: r.Group}, Course: course.ID{UUID: r.Course}}, nil
}

// IDsByName implements ports.GroupRepo.
func (r groupRepo) IDsByName(ctx context.Context, names []string) (map[string]group.ID, error) {
	return r.idsByKey(ctx, uniqueKeys(names))
}

// Delete implements ports.GroupRepo.
func (r groupRepo) Delete(ctx context.Context, id group.ID) error {
	return r.session.deleteOne(ctx, deleteGroup, id.UUID)
}

// CourseIDs implements ports.GroupRepo.
func (r groupRepo) CourseIDs(ctx context.Context, ids []group.ID) (map[group.ID][]course.ID, error) {
	var rows []groupCourseRow
	if err := r.session.AllKeyed(ctx, len(ids), &rows, coursesOfGroups, r.session.SchoolID, idArray(ids)); err != nil {
		return nil, err
	}
	found := map[group.ID][]course.ID{}
	for _, row := range rows {
		g := group.ID{UUID: row.Group}
		found[g] = append(found[g], course.ID{UUID: row.Course})
	}
	return found, nil
}

// AddCourses implements ports.GroupRepo.
func (r groupRepo) AddCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error) {
	if len(courses) == 0 { // otherwise a missing group would not be detected
		_, err := r.Get(ctx, id)
		return 0, err
	}
	return r.session.Exec(ctx, addGroupCourses, r.session.SchoolID, id.UUID, idArray(courses))
}

// RemoveCourses implements ports.GroupRepo.
func (r groupRepo) RemoveCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error) {
	return r.session.Exec(ctx, removeGroupCourses, r.session.SchoolID, id.UUID, idArray(courses))
}
