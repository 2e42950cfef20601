package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

// addPeople is addPerson for many; its arguments are those, each as an array.
var addPeople = `INSERT INTO people (` + personWritten.list() + `)
	SELECT $1, p.* FROM unnest($2::uuid[], ` + personWritten.arrays() + `) p
	ON CONFLICT (school_id, email_key) DO NOTHING RETURNING id`

// AddIfAbsent keeps those of ps whose address is free. They are inserted in the
// order of their keys: two transactions that insert some of the same would wait
// for each other if each began with what the other ends with.
func (c personRepo) AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error) {
	if len(ps) == 0 {
		return nil, pgdb.Translate(ctx, ctx.Err())
	}
	sorted := slices.Clone(ps)
	slices.SortStableFunc(sorted, func(a, b person.Person) int {
		return cmp.Compare(text.Key(a.State().Email), text.Key(b.State().Email))
	})
	rows := make([][]any, len(sorted))
	for i, p := range sorted {
		rows[i] = c.args(p.State())[1:]
	}
	var ids []person.ID
	err := c.SelectRows(ctx, &ids, addPeople, append([]any{c.SchoolID}, transposed(rows)...)...)
	return ids, err
}

// addInvited is addPerson with an invitation and its job, if the school's
// authentication method allows. The parameters of the person's columns come last,
// because their number grows.
var addInvited = `
	WITH school AS (SELECT auth FROM schools WHERE id = $1 AND auth = ANY($3::text[])),
	person AS (
		INSERT INTO people (` + personWritten.list() + `)
		SELECT $1, $2, ` + personWritten.parameters(15) + ` FROM school
		ON CONFLICT (school_id, email_key) DO NOTHING RETURNING id
	),
	invitation AS (
		INSERT INTO invitations (school_id, person_id, message_id, requested_at)
		SELECT $1, person.id, $5, $6 FROM person, school WHERE auth = ANY($4::text[])
		RETURNING message_id
	),
	job AS (
		INSERT INTO jobs (school_id, id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at)
		SELECT $1, message_id, $7, $8, $9, $10, $11, $12, $13, $14 FROM invitation
		RETURNING id
	)
	SELECT EXISTS (SELECT FROM person) AS added, EXISTS (SELECT FROM job) AS invited`

// AddPerson adds a person, if the school allows, in one statement.
func (s *Store) AddPerson(ctx context.Context, id school.ID, n ports.NewPerson) (bool, error) {
	if err := s.outside(ctx, id); err != nil {
		return false, err
	}
	c, j := s.session(id), n.Job
	if j.School != id {
		return false, fmt.Errorf("postgres: job %s is of another school than the person", j.ID)
	}
	p := n.Person.State()
	args := append([]any{
		c.SchoolID, p.ID.UUID,
		pq.Array(pgdb.IDStrings(n.Admitting)), pq.Array(pgdb.IDStrings(n.Inviting)),
		n.Invitation.Letter.UUID, n.Invitation.AskedAt,
		string(j.Kind), j.Payload, j.State.String(), j.Attempts, j.RunAt, j.LastError, j.CreatedAt, j.UpdatedAt,
	}, personWritten.values(p)...)
	var done struct{ Added, Invited bool }
	if err := c.GetRow(ctx, &done, addInvited, args...); err != nil {
		return false, err
	}
	if done.Invited {
		s.db.Notifier.Notify(j.Kind)
	}
	return done.Added, nil
}

// transposed returns the columns of rows, each as an array of texts that the
// statement casts.
func transposed(rows [][]any) []any {
	columns := make([]any, len(rows[0]))
	for i := range columns {
		column := make([]*string, len(rows))
		for n, row := range rows {
			column[n] = inArray(row[i])
		}
		columns[i] = pq.Array(column)
	}
	return columns
}

// inArray returns an argument as an element of an array, nil for null.
func inArray(arg any) *string {
	var s string
	switch v := arg.(type) {
	case *string:
		return v
	case *time.Time:
		if v == nil {
			return nil
		}
		s = pgdb.Instant(*v)
	case time.Time:
		s = pgdb.Instant(v)
	case string:
		s = v
	case uuid.UUID:
		s = v.String()
	default:
		s = fmt.Sprint(v)
	}
	return &s
}
