package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.PersonRepo = personRepo{}

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
}

type personSummaryRow struct {
	personRow
	CourseCount  int64        `db:"course_count"`
	GroupCount   int64        `db:"group_count"`
	Partnerships pgdb.IDArray `db:"partnerships"`
}

func (r personRow) state() person.State {
	return person.State{
		ID: person.ID{UUID: r.ID}, Email: r.Email, FirstName: r.FirstName, LastName: r.LastName,
		AvatarURL: r.AvatarURL, ActivatedAt: pgdb.Utc(r.ActivatedAt), Unsubscribed: r.Unsubscribed,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

func (r personRow) person() (person.ID, person.Person) {
	s := r.state()
	return s.ID, person.Restore(s)
}

func (r personSummaryRow) summary() (person.Summary, error) {
	s := person.Summary{State: r.state(), CourseCount: r.CourseCount, GroupCount: r.GroupCount}
	for _, id := range r.Partnerships {
		s.Partnerships = append(s.Partnerships, person.PartnershipID{UUID: id})
	}
	return s, nil
}

const personColumns = `r.id, r.email, r.first_name, r.last_name, r.avatar_url, r.activated_at, r.unsubscribed,
	r.created_at, r.updated_at`

var personList = listsql.List[personSummaryRow, person.Summary]{
	Table: "people",
	Columns: personColumns + `, r.course_count AS course_count, r.group_count,
		CASE WHEN r.partnership_count > 0 THEN ARRAY (SELECT k.id FROM partnerships k
			WHERE k.school_id = r.school_id AND k.person_id = r.id ORDER BY k.id) END AS partnerships`,
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
	}),
	Sort:    person.Schema.Default(),
	Convert: personSummaryRow.summary,
	Removal: listsql.Removal{From: inRemoval, Count: "r.course_count", Less: `(SELECT count(*) FROM enrollments e
		WHERE e.school_id = $1 AND e.person_id = r.id AND e.role = 'learner' AND e.course_id IN (` + coursesInRemoval + `))`},
}

type personReader struct{ *session }

// List returns a page of people.
func (c personReader) List(ctx context.Context, q query.Query) (query.Result[person.Summary], error) {
	return personList.Page(ctx, c.session, q)
}

// Get returns the person id.
func (c personReader) Get(ctx context.Context, id person.ID) (person.Summary, error) {
	return personList.One(ctx, c.session, id.UUID)
}

type personRepo struct{ personReader }

const (
	// As strong as the lock of People.Load, which statements that add rows of a person
	// take first. A stronger one deadlocks with a change of a structure: it holds
	// enrollments that a deletion waits for, and checks the foreign key of a course
	// attempt that it writes twice.
	lockPerson = `SELECT ` + personColumns + ` FROM people r
		WHERE r.school_id = $1 AND r.id = $2 FOR NO KEY UPDATE`
	removePerson = `DELETE FROM people WHERE school_id = $1 AND id = $2`
)

// personWritten is the columns of people that are written. Lists search, filter and
// sort texts by the columns with the suffix _fold.
var personWritten = writtenColumns[person.State]{
	{"email", "text", func(s person.State) any { return s.Email }},
	{"email_key", "text", func(s person.State) any { return text.Key(s.Email) }},
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
}

var (
	addPerson = `INSERT INTO people (` + personWritten.list() + `)
		VALUES ($1, $2, ` + personWritten.parameters(firstWritten) + `)
		ON CONFLICT (school_id, email_key) DO NOTHING RETURNING id`
	savePerson = `UPDATE people SET ` + personWritten.assignments() + ` WHERE school_id = $1 AND id = $2`
)

var personRivals = rivalsOf("people", "email_key")

// The lock that the counters take: a weaker one would have to be raised when
// the people join something, and two who raise theirs while a third waits with
// the strongest would wait for each other.
var loadPeople = `SELECT r.* FROM ` + pgdb.ByKey("people", personColumns, "id", "$2::uuid[]", "LIMIT 1 FOR NO KEY UPDATE")

// Find returns the person id and locks the person.
func (c personRepo) Find(ctx context.Context, id person.ID) (person.Person, error) {
	var row personRow
	if err := c.GetRow(ctx, &row, lockPerson, c.SchoolID, id.UUID); err != nil {
		return person.Person{}, pgdb.Missing(err)
	}
	return person.Restore(row.state()), nil
}

// Load returns the people ids and locks them against removal.
func (c personRepo) Load(ctx context.Context, ids []person.ID) (map[person.ID]person.Person, error) {
	return load(ctx, c.session, loadPeople, ids, personRow.person)
}

func (c personRepo) args(s person.State) []any {
	return append([]any{c.SchoolID, s.ID.UUID}, personWritten.values(s)...)
}

// foldOptional is text.Fold of a text that may be missing.
func foldOptional(s *string) *string {
	if s == nil {
		return nil
	}
	folded := text.Fold(*s)
	return &folded
}

func (c personRepo) email(s person.State) unique {
	return unique{field: "email", holder: person.Type, rivals: personRivals, value: text.Key(s.Email)}
}

// Add keeps a new person.
func (c personRepo) Add(ctx context.Context, p person.Person) error {
	s := p.State()
	return c.add(ctx, c.email(s), s.ID.UUID, addPerson, c.args(s)...)
}

// Save keeps a changed person.
func (c personRepo) Save(ctx context.Context, p person.Person) error {
	s := p.State()
	return c.save(ctx, c.email(s), s.ID.UUID, savePerson, c.args(s)...)
}

// Remove forgets the person id.
func (c personRepo) Remove(ctx context.Context, id person.ID) error {
	return c.remove(ctx, removePerson, id.UUID)
}
