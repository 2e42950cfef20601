package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.Schools      = schools{}
	_ ports.SchoolReader = schoolReader{}
	_ ports.SchoolRepo   = schoolRepo{}
)

type schoolRow struct {
	ID        uuid.UUID `db:"id"`
	Name      string    `db:"name"`
	Slug      string    `db:"slug"`
	Auth      string    `db:"auth"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`

	Properties []byte       `db:"properties"`
	Suspended  sql.NullTime `db:"suspended_at"`

	PublicCovers    bool   `db:"public_covers"`
	AdmitsNewPeople bool   `db:"admits_new_people"`
	EntrySecret     string `db:"entry_secret"`
	SSOIssuer       string `db:"sso_issuer"`
	SSOClient       string `db:"sso_client_id"`
	SSOSecret       string `db:"sso_client_secret"`
}

// schoolSummaryRow is a school with the names of its defined properties.
type schoolSummaryRow struct {
	schoolRow
	Defined pq.StringArray `db:"defined"`
}

func (r schoolSummaryRow) summary() (school.Summary, error) {
	s, err := r.school()
	return school.Summary{State: s.State(), Defined: r.Defined}, err
}

func (r schoolRow) school() (school.School, error) {
	auth, err := school.ParseAuthMethod(r.Auth)
	if err != nil {
		return school.School{}, pgdb.Corrupt("schools", r.ID, err)
	}
	properties, err := parseProperties(school.Type, r.ID, r.Properties)
	if err != nil {
		return school.School{}, err
	}
	return school.Restore(school.State{
		ID: school.ID{UUID: r.ID}, Name: r.Name, Slug: r.Slug, Auth: auth, Properties: properties,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), SuspendedAt: r.Suspended.Time.UTC(),
		Entry: school.Entry{
			PublicCovers: r.PublicCovers, AdmitsNewPeople: r.AdmitsNewPeople, Secret: r.EntrySecret,
			Provider: school.Provider{Issuer: r.SSOIssuer, ClientID: r.SSOClient, ClientSecret: r.SSOSecret},
		},
	}), nil
}

const (
	addSchool = `
		INSERT INTO schools (id, name, name_fold, auth, created_at, updated_at, properties, suspended_at,
			slug, public_covers, admits_new_people, entry_secret, sso_issuer, sso_client_id, sso_client_secret)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`
	schoolFields = `id, name, slug, auth, created_at, updated_at, properties, suspended_at,
		public_covers, admits_new_people, entry_secret, sso_issuer, sso_client_id, sso_client_secret`
	schoolColumns = `SELECT ` + schoolFields + ` FROM schools`
	onlySchool    = schoolColumns + ` WHERE (SELECT count(*) FROM (SELECT FROM schools LIMIT 2) AS two) = 1`
	listSchools   = schoolColumns + ` ORDER BY name_fold, id`
	getSchool     = schoolColumns + ` WHERE id = $1`
	schoolBySlug  = schoolColumns + ` WHERE slug = $1`
)

// schools implements ports.Schools. Its session is not bound to a school.
type schools struct{ *session }

// add inserts a new school. It returns ErrExists if another school has its ID or its slug.
func (r schools) add(ctx context.Context, added school.School) error {
	err := r.write(ctx, addSchool, schoolArgs(added.State())...)
	if pq.As(err, pqerror.UniqueViolation) != nil {
		return fmt.Errorf("postgres: the ID or slug of the school %s is taken: %w", added.State().ID, ports.ErrExists)
	}
	return err
}

func schoolArgs(s school.State) []any {
	return []any{
		s.ID.UUID, s.Name, text.Fold(s.Name), s.Auth.String(), s.CreatedAt, s.UpdatedAt, propertiesJSON(s.Properties),
		sql.NullTime{Time: s.SuspendedAt, Valid: !s.SuspendedAt.IsZero()},
		s.Slug, s.Entry.PublicCovers, s.Entry.AdmitsNewPeople, s.Entry.Secret,
		s.Entry.Provider.Issuer, s.Entry.Provider.ClientID, s.Entry.Provider.ClientSecret,
	}
}

// List implements ports.Schools.
func (r schools) List(ctx context.Context) ([]school.School, error) {
	return getAll(ctx, r.session, schoolRow.school, listSchools)
}

// Get implements ports.Schools.
func (r schools) Get(ctx context.Context, id school.ID) (school.School, error) {
	return getOne(ctx, r.session, schoolRow.school, getSchool, id.UUID)
}

// BySlug implements ports.Schools.
func (r schools) BySlug(ctx context.Context, slug string) (school.School, error) {
	return getOne(ctx, r.session, schoolRow.school, schoolBySlug, slug)
}

// Only implements ports.Schools.
func (r schools) Only(ctx context.Context) (school.School, error) {
	return getOne(ctx, r.session, schoolRow.school, onlySchool)
}

// schoolReader reads the record of one school.
type schoolReader struct{ *session }

// Get implements ports.SchoolReader.
func (r schoolReader) Get(ctx context.Context) (school.School, error) {
	return schools(r).Get(ctx, school.ID{UUID: r.SchoolID})
}

var schoolSummary = `SELECT ` + schoolFields + `, ` + definedNames(property.School) + `
	FROM schools WHERE id = $1`

// Summary implements ports.SchoolReader.
func (r schoolReader) Summary(ctx context.Context) (school.Summary, error) {
	return getOne(ctx, r.session, schoolSummaryRow.summary, schoolSummary, r.SchoolID)
}

const (
	countPeople = `SELECT (SELECT count(*) FROM people p WHERE p.school_id = s.id) FROM schools s WHERE s.id = $1`
	storedBytes = `SELECT (SELECT coalesce(sum(r.file_size), 0)::bigint FROM submissions r WHERE r.school_id = s.id)
		FROM schools s WHERE s.id = $1`
)

// CountPeople implements ports.SchoolReader.
func (r schoolReader) CountPeople(ctx context.Context) (int64, error) {
	return r.count(ctx, countPeople)
}

// StoredBytes implements ports.SchoolReader.
func (r schoolReader) StoredBytes(ctx context.Context) (int64, error) {
	return r.count(ctx, storedBytes)
}

func (r schoolReader) count(ctx context.Context, statement string) (n int64, err error) {
	err = r.GetRow(ctx, &n, statement, r.SchoolID)
	return n, pgdb.Missing(err)
}

type schoolRepo struct{ schoolReader }

const (
	lockSchool  = schoolColumns + ` WHERE id = $1 FOR NO KEY UPDATE`
	shareSchool = schoolColumns + ` WHERE id = $1 FOR SHARE`
)

var saveSchool = `UPDATE schools SET name = $2, name_fold = $3, auth = $4, created_at = $5, updated_at = $6, suspended_at = $8,
	slug = $9, public_covers = $10, admits_new_people = $11, entry_secret = $12, sso_issuer = $13, sso_client_id = $14, sso_client_secret = $15,
	properties = ` + kept("properties", "$7::jsonb", "::text") + ` WHERE id = $1`

// GetForUpdate implements ports.SchoolRepo.
func (r schoolRepo) GetForUpdate(ctx context.Context) (school.School, error) {
	return getOne(ctx, r.session, schoolRow.school, lockSchool, r.SchoolID)
}

// GetForShare implements ports.SchoolRepo.
func (r schoolRepo) GetForShare(ctx context.Context) (school.School, error) {
	return getOne(ctx, r.session, schoolRow.school, shareSchool, r.SchoolID)
}

// Save implements ports.SchoolRepo.
func (r schoolRepo) Save(ctx context.Context, changed school.School) error {
	s := changed.State()
	if s.ID.UUID != r.SchoolID {
		return fmt.Errorf("postgres: school %s is not the school of the transaction", s.ID)
	}
	if err := r.checkTaken(ctx, s); err != nil {
		return err
	}
	err := r.write(ctx, saveSchool, schoolArgs(s)...)
	return r.Race(err, pqerror.UniqueViolation, fault.TakenValue("slug"))
}

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

const (
	deleteSchool = `DELETE FROM schools WHERE id = $1`
	// Workers lock a follower before an endpoint, and an endpoint before its deliveries.
	lockFollowers = `SELECT FROM followers WHERE school_id = $1 ORDER BY name FOR UPDATE`
	lockEndpoints = `SELECT FROM webhook_endpoints WHERE school_id = $1 ORDER BY id FOR UPDATE`
)

// deleteRowsOf returns the statement that deletes at most $2 rows of a table.
func deleteRowsOf(table string) string {
	return fmt.Sprintf(`DELETE FROM %[1]s WHERE school_id = $1 AND ctid = ANY (ARRAY (
		SELECT ctid FROM %[1]s WHERE school_id = $1 LIMIT $2))`, table)
}

// Delete implements ports.Schools.
func (r schools) Delete(ctx context.Context, id school.ID, most int) (gone bool, err error) {
	err = r.store.db.InTx(ctx, id.UUID, func(ctx context.Context, tx *pgdb.Session) error {
		gone = false
		for _, lock := range []string{lockFollowers, lockEndpoints} {
			if _, err := tx.Exec(ctx, lock, id.UUID); err != nil {
				return err
			}
		}
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
		r.store.knownSchools.Delete(id)
	}
	return gone, err
}
