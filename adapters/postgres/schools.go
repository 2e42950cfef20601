package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
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
}

func (r schoolRow) SchoolID() (school.School, error) {
	auth, err := school.ParseAuthMethod(r.Auth)
	if err != nil {
		return school.School{}, pgdb.Corrupt("schools", r.ID, err)
	}
	return school.Restore(school.State{
		ID: school.ID{UUID: r.ID}, Name: r.Name, Auth: auth,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}), nil
}

const (
	addSchool = `
		INSERT INTO schools (id, name, name_fold, auth, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6)`
	schoolColumns = `SELECT id, name, auth, created_at, updated_at FROM schools`
	listSchools   = schoolColumns + ` ORDER BY name_fold, id`
	findSchool    = schoolColumns + ` WHERE id = $1`
)

// schools stands on a session of no school.
type schools struct{ *session }

// Add keeps a new school.
func (c schools) Add(ctx context.Context, added school.School) error {
	s := added.State()
	_, err := c.Exec(ctx, addSchool, s.ID.UUID, s.Name, text.Fold(s.Name), s.Auth.String(), s.CreatedAt, s.UpdatedAt)
	return err
}

// List returns all schools.
func (c schools) List(ctx context.Context) ([]school.School, error) {
	var rows []schoolRow
	if err := c.SelectRows(ctx, &rows, listSchools); err != nil {
		return nil, err
	}
	found := make([]school.School, len(rows))
	for i, r := range rows {
		s, err := r.SchoolID()
		if err != nil {
			return nil, err
		}
		found[i] = s
	}
	return found, nil
}

// Find returns the school id.
func (c schools) Find(ctx context.Context, id school.ID) (school.School, error) {
	var row schoolRow
	if err := c.GetRow(ctx, &row, findSchool, id.UUID); err != nil {
		return school.School{}, pgdb.Missing(err)
	}
	return row.SchoolID()
}

// schoolReader is one school's own record.
type schoolReader struct{ *session }

// Get returns the school.
func (c schoolReader) Get(ctx context.Context) (school.School, error) {
	return schools(c).Find(ctx, school.ID{UUID: c.SchoolID})
}

const (
	countPeople = `SELECT (SELECT count(*) FROM people p WHERE p.school_id = s.id) FROM schools s WHERE s.id = $1`
	storedBytes = `SELECT (SELECT coalesce(sum(r.file_size), 0)::bigint FROM submissions r WHERE r.school_id = s.id)
		FROM schools s WHERE s.id = $1`
)

// CountPeople returns how many people the school has.
func (c schoolReader) CountPeople(ctx context.Context) (int64, error) {
	var n int64
	err := c.GetRow(ctx, &n, countPeople, c.SchoolID)
	return n, pgdb.Missing(err)
}

// StoredBytes returns how many bytes the files of all submissions have.
func (c schoolReader) StoredBytes(ctx context.Context) (int64, error) {
	var n int64
	err := c.GetRow(ctx, &n, storedBytes, c.SchoolID)
	return n, pgdb.Missing(err)
}

type schoolRepo struct{ schoolReader }

const (
	lockSchool = schoolColumns + ` WHERE id = $1 FOR NO KEY UPDATE`
	saveSchool = `UPDATE schools SET name = $2, name_fold = $3, auth = $4, created_at = $5, updated_at = $6 WHERE id = $1`
)

// Find returns the school and locks it.
func (c schoolRepo) Find(ctx context.Context) (school.School, error) {
	var row schoolRow
	if err := c.GetRow(ctx, &row, lockSchool, c.SchoolID); err != nil {
		return school.School{}, pgdb.Missing(err)
	}
	return row.SchoolID()
}

// Save keeps the changed school.
func (c schoolRepo) Save(ctx context.Context, changed school.School) error {
	s := changed.State()
	if s.ID.UUID != c.SchoolID {
		return fmt.Errorf("postgres: the school %s is another than the transaction's", s.ID)
	}
	_, err := c.Exec(ctx, saveSchool, c.SchoolID, s.Name, text.Fold(s.Name), s.Auth.String(), s.CreatedAt, s.UpdatedAt)
	return err
}
