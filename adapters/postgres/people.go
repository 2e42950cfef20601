package postgres

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.PersonReader = personReader{}
	_ ports.PersonRepo   = personRepo{}
)

type personRow struct {
	ID           uuid.UUID  `db:"id"`
	Email        string     `db:"email"`
	FirstName    string     `db:"first_name"`
	LastName     string     `db:"last_name"`
	AvatarURL    *string    `db:"avatar_url"`
	ActivatedAt  *time.Time `db:"activated_at"`
	Unsubscribed bool       `db:"unsubscribed"`
	CreatedAt    time.Time  `db:"created_at"`
	UpdatedAt    time.Time  `db:"updated_at"`
	Properties   []byte     `db:"properties"`
}

type personSummaryRow struct {
	personRow
	CourseCount  int64          `db:"course_count"`
	GroupCount   int64          `db:"group_count"`
	Partnerships pgdb.IDArray   `db:"partnerships"`
	Defined      pq.StringArray `db:"defined"`
}

func (r personRow) state() (person.State, error) {
	properties, err := parseProperties(person.Type, r.ID, r.Properties)
	return person.State{
		ID: person.ID{UUID: r.ID}, Email: r.Email, FirstName: r.FirstName, LastName: r.LastName,
		AvatarURL: r.AvatarURL, ActivatedAt: pgdb.UTC(r.ActivatedAt), Unsubscribed: r.Unsubscribed,
		Properties: properties, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, err
}

func (r personSummaryRow) summary() (person.Summary, error) {
	s, err := r.state()
	return person.Summary{
		State: s, CourseCount: r.CourseCount, GroupCount: r.GroupCount, Partnerships: idsOf[person.PartnershipID](r.Partnerships),
		Defined: r.Defined,
	}, err
}

// coursesAttr and groupsAttr are the sets of the courses and groups of a person. They are not in
// person.Schema, because the records of people do not contain them.
var (
	coursesAttr = query.Attr{Source: "courses.id", Kind: query.UUIDs, Nullable: true}
	groupsAttr  = query.Attr{Source: "groups.id", Kind: query.UUIDs, Nullable: true}
)

// partnershipsOfPerson selects the IDs of the partnerships of the person r.
const partnershipsOfPerson = `ARRAY (SELECT k.id FROM partnerships k
			WHERE k.school_id = r.school_id AND k.person_id = r.id ORDER BY k.id)`

var personColumns = listsql.RowColumns[personRow]()

var personList = listsql.New(listsql.Definition{
	Table: "people",
	Columns: personColumns + `, r.course_count AS course_count, r.group_count,
		CASE WHEN r.partnership_count > 0 THEN ` + partnershipsOfPerson + ` END AS partnerships, ` + definedNames(property.People),
	Defined: definedNames(property.People),
	Calls: strings.NewReplacer(
		partnershipsOfPerson, "partnerships_of($1, r.id)",
		"EXISTS (SELECT "+listsql.InRemoval+")", "(SELECT is_removing_courses($1))",
	),
	Attrs: listsql.WithDerived(person.Schema.Attrs(), map[string]listsql.Column{
		"uuid":              {Expr: "r.id"},
		"email":             listsql.TextColumn("email"),
		"first_name":        listsql.TextColumn("first_name"),
		"last_name":         listsql.TextColumn("last_name"),
		"full_name":         listsql.TextColumn("full_name"),
		"custom_avatar_url": listsql.TextColumn("avatar_url"),
		"unsubscribed":      {Expr: "r.unsubscribed"},
		"course_count":      {Expr: "r.course_count"},
		"group_count":       {Expr: "r.group_count"},
		"activated_at":      {Expr: "r.activated_at"},
		"created_at":        {Expr: "r.created_at"},
		"updated_at":        {Expr: "r.updated_at"},
		"partnerships.id":   listsql.SetColumn("id", "partnerships", "person_id"),
		"partnership_count": {Expr: "r.partnership_count"},
		coursesAttr.Source:  listsql.SetColumn("course_id", "enrollments", "person_id"),
		groupsAttr.Source:   listsql.SetColumn("group_id", "memberships", "person_id"),
	}),
	Sort:    person.Schema.Default(),
	Removal: listsql.Removal{From: listsql.InRemoval, Count: "r.course_count", Less: "enrollments_in_removal($1, r.id)"},
}, personSummaryRow.summary)

// personTable is the table of people. Lists search, filter and sort texts by the columns with the
// suffix _fold.
var personTable = newTable("people", []column[person.State]{
	{"id", "uuid", func(s person.State) any { return s.ID.UUID }},
	{"email", "text", func(s person.State) any { return s.Email }},
	{"email_key", "text", func(s person.State) any { return text.UniqueKey(s.Email) }},
	{"email_fold", "text", func(s person.State) any { return text.Fold(s.Email) }},
	{"first_name", "text", func(s person.State) any { return s.FirstName }},
	{"first_name_fold", "text", func(s person.State) any { return text.Fold(s.FirstName) }},
	{"last_name", "text", func(s person.State) any { return s.LastName }},
	{"last_name_fold", "text", func(s person.State) any { return text.Fold(s.LastName) }},
	{"full_name", "text", func(s person.State) any { return s.FullName() }},
	{"full_name_fold", "text", func(s person.State) any { return text.Fold(s.FullName()) }},
	{"avatar_url", "text", func(s person.State) any { return s.AvatarURL }},
	{"avatar_url_fold", "text", func(s person.State) any { return foldOptional(s.AvatarURL) }},
	{"activated_at", "timestamptz", func(s person.State) any { return s.ActivatedAt }},
	{"unsubscribed", "boolean", func(s person.State) any { return s.Unsubscribed }},
	{"created_at", "timestamptz", func(s person.State) any { return s.CreatedAt }},
	{"updated_at", "timestamptz", func(s person.State) any { return s.UpdatedAt }},
	{"properties", "jsonb", func(s person.State) any { return propertiesJSON(s.Properties) }},
	{"property_folds", "jsonb", func(s person.State) any { return propertyFolds(s.Properties) }},
})

// foldOptional returns text.Fold of s, or nil for nil.
func foldOptional(s *string) *string {
	if s == nil {
		return nil
	}
	folded := text.Fold(*s)
	return &folded
}

// getLock and manyLock are as strong as the locks that the counter triggers take. A weaker lock
// would have to be upgraded when the people join a course or a group; two such upgrades deadlock if
// a third transaction waits. A stronger lock could deadlock with a change of a course structure.
// Such a change locks enrollments before it updates course attempts, and an attempt that is updated
// twice is checked again for its foreign key to the person.
var personRecords = uniqueRecords[personSummaryRow, person.State, person.Person]{
	table: personTable, columns: personColumns, toState: personSummaryRow.state, restore: person.Restore,
	typeName: person.Type, field: "email", key: "email_key",
	keyOf:   func(s person.State) string { return text.UniqueKey(s.Email) },
	getLock: "FOR NO KEY UPDATE", manyLock: "FOR NO KEY UPDATE",
}.prepared()

type personReader struct {
	reader[person.ID, personSummaryRow, person.Summary]
}

// ListAudience implements ports.PersonReader.
func (r personReader) ListAudience(ctx context.Context, in ports.Audience, q query.Query) (query.Result[person.Summary], error) {
	if in.Courses != nil {
		q = q.And(query.HasAnyID(coursesAttr, in.Courses))
	}
	if in.Groups != nil {
		q = q.And(query.HasAnyID(groupsAttr, in.Groups))
	}
	return r.List(ctx, q)
}

type personRepo struct {
	uniqueRepo[person.ID, personSummaryRow, person.Summary, person.State, person.Person]
}

// ListAudience implements ports.PersonReader.
func (r personRepo) ListAudience(ctx context.Context, in ports.Audience, q query.Query) (query.Result[person.Summary], error) {
	return personReader{r.reader}.ListAudience(ctx, in, q)
}

const deletePerson = `DELETE FROM people WHERE school_id = $1 AND id = $2`

var (
	addPeople     = personTable.insertMany + `ON CONFLICT (school_id, email_key) DO NOTHING RETURNING id`
	peopleByEmail = `SELECT r.* FROM ` + pgdb.ByKey("people", personColumns, "email_key", "$2::text[]", "LIMIT 1")
)

// ByEmail implements ports.PersonRepo.
func (r personRepo) ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error) {
	key := func(p person.Person) string { return text.UniqueKey(p.State().Email) }
	return getMap(ctx, r.session, len(emails), r.restore, key, peopleByEmail, r.session.SchoolID, pq.Array(uniqueKeys(emails)))
}

// AddIfAbsent implements ports.PersonRepo. It inserts in the order of the unique
// keys, because two transactions that insert the same people in different orders
// would deadlock.
func (r personRepo) AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error) {
	if len(ps) == 0 {
		return nil, pgdb.Translate(ctx, ctx.Err())
	}
	states := states(ps)
	slices.SortStableFunc(states, func(a, b person.State) int {
		return cmp.Compare(text.UniqueKey(a.Email), text.UniqueKey(b.Email))
	})
	return getIDs[person.ID](ctx, r.session, addPeople, personTable.arrays(r.session.SchoolID, states)...)
}

// Delete implements ports.PersonRepo.
func (r personRepo) Delete(ctx context.Context, id person.ID) error {
	if _, err := r.session.Exec(ctx, eraseAddresses, r.session.SchoolID, id.UUID, nil); err != nil {
		return err
	}
	return r.session.deleteOne(ctx, deletePerson, id.UUID)
}
