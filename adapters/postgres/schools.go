package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
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
	Auth      string    `db:"auth"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`

	Properties []byte       `db:"properties"`
	Suspended  sql.NullTime `db:"suspended_at"`
}

// schoolSummaryRow is a school as documents show it.
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
		ID: school.ID{UUID: r.ID}, Name: r.Name, Auth: auth, Properties: properties,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), SuspendedAt: r.Suspended.Time.UTC(),
	}), nil
}

const (
	addSchool = `
		INSERT INTO schools (id, name, name_fold, auth, created_at, updated_at, properties, suspended_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	schoolColumns = `SELECT id, name, auth, created_at, updated_at, properties, suspended_at FROM schools`
	listSchools   = schoolColumns + ` ORDER BY name_fold, id`
	getSchool     = schoolColumns + ` WHERE id = $1`
)

// schools has a session without a school.
type schools struct{ *session }

// Add implements ports.Schools.
func (c schools) Add(ctx context.Context, added school.School) error {
	return c.write(ctx, addSchool, schoolArgs(added.State())...)
}

func schoolArgs(s school.State) []any {
	return []any{
		s.ID.UUID, s.Name, text.Fold(s.Name), s.Auth.String(), s.CreatedAt, s.UpdatedAt, propertiesJSON(s.Properties),
		sql.NullTime{Time: s.SuspendedAt, Valid: !s.SuspendedAt.IsZero()},
	}
}

// List implements ports.Schools.
func (c schools) List(ctx context.Context) ([]school.School, error) {
	return getAll(ctx, c.session, schoolRow.school, listSchools)
}

// Get implements ports.Schools.
func (c schools) Get(ctx context.Context, id school.ID) (school.School, error) {
	return getOne(ctx, c.session, schoolRow.school, getSchool, id.UUID)
}

// schoolReader reads the record of one school.
type schoolReader struct{ *session }

// Get implements ports.SchoolReader.
func (c schoolReader) Get(ctx context.Context) (school.School, error) {
	return schools(c).Get(ctx, school.ID{UUID: c.SchoolID})
}

var schoolSummary = `SELECT id, name, auth, created_at, updated_at, properties, suspended_at, ` + definedNames(property.School) + `
	FROM schools WHERE id = $1`

// Summary implements ports.SchoolReader.
func (c schoolReader) Summary(ctx context.Context) (school.Summary, error) {
	return getOne(ctx, c.session, schoolSummaryRow.summary, schoolSummary, c.SchoolID)
}

const (
	countPeople = `SELECT (SELECT count(*) FROM people p WHERE p.school_id = s.id) FROM schools s WHERE s.id = $1`
	storedBytes = `SELECT (SELECT coalesce(sum(r.file_size), 0)::bigint FROM submissions r WHERE r.school_id = s.id)
		FROM schools s WHERE s.id = $1`
)

// CountPeople implements ports.SchoolReader.
func (c schoolReader) CountPeople(ctx context.Context) (int64, error) {
	return c.count(ctx, countPeople)
}

// StoredBytes implements ports.SchoolReader.
func (c schoolReader) StoredBytes(ctx context.Context) (int64, error) {
	return c.count(ctx, storedBytes)
}

func (c schoolReader) count(ctx context.Context, statement string) (n int64, err error) {
	err = c.GetRow(ctx, &n, statement, c.SchoolID)
	return n, pgdb.Missing(err)
}

type schoolRepo struct{ schoolReader }

const (
	lockSchool = schoolColumns + ` WHERE id = $1 FOR NO KEY UPDATE`
	saveSchool = `UPDATE schools SET name = $2, name_fold = $3, auth = $4, created_at = $5, updated_at = $6, properties = $7, suspended_at = $8
		WHERE id = $1`
)

// GetForUpdate implements ports.SchoolRepo.
func (c schoolRepo) GetForUpdate(ctx context.Context) (school.School, error) {
	return getOne(ctx, c.session, schoolRow.school, lockSchool, c.SchoolID)
}

// Save implements ports.SchoolRepo.
func (c schoolRepo) Save(ctx context.Context, changed school.School) error {
	s := changed.State()
	if s.ID.UUID != c.SchoolID {
		return fmt.Errorf("postgres: school %s is not the school of the transaction", s.ID)
	}
	return c.write(ctx, saveSchool, schoolArgs(s)...)
}
