package postgres

import (
	"context"
	"fmt"

	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
)

// firstPersonColumn is the number of the first parameter of the person in addInvited. The
// parameters of the person come last, because columns may be added to people.
const firstPersonColumn = 15

// addInvited adds a person if the authentication method of the school is one of $2. If it is also
// one of $3, addInvited adds an invitation and its job too.
var addInvited = `
	WITH school AS (
		SELECT auth FROM schools WHERE id = $1 AND auth = ANY($2::text[])
		AND set_config('` + pgdb.OriginSetting + `', $14, true) IS NOT NULL
	),
	person AS (
		INSERT INTO people (` + personTable.names() + `)
		SELECT $1, ` + personTable.parameters(firstPersonColumn) + ` FROM school
		ON CONFLICT (school_id, email_key) DO NOTHING RETURNING id
	),
	invitation AS (
		INSERT INTO invitations (school_id, person_id, message_id, requested_at)
		SELECT $1, person.id, $4, $13 FROM person, school WHERE auth = ANY($3::text[])
		RETURNING message_id
	),
	job AS (
		INSERT INTO jobs (` + jobTable.names() + `)
		SELECT $1, ` + jobTable.parameters(4) + ` FROM invitation
		RETURNING id
	)
	SELECT EXISTS (SELECT FROM person) AS added, EXISTS (SELECT FROM job) AS invited, ` + definedNames(property.People)

// AddPerson implements ports.Store with a single statement.
func (s *Store) AddPerson(ctx context.Context, id school.ID, n ports.NewPerson) (*person.Summary, error) {
	if err := s.checkOutsideTx(ctx, id); err != nil {
		return nil, err
	}
	if n.Job.School != id {
		return nil, fmt.Errorf("postgres: job %s belongs to a different school than the person", n.Job.ID)
	}
	c := s.session(id)
	args := []any{c.SchoolID, idArray(n.Admitting), idArray(n.Inviting)}
	args = append(args, jobTable.args(c.SchoolID, n.Job)[1:]...)
	args = append(args, n.Invitation.RequestedAt, pgdb.OriginValue(ctx))
	args = append(args, personTable.args(c.SchoolID, n.Person.State())[1:]...)
	var done struct {
		Added, Invited bool
		Defined        pq.StringArray
	}
	if err := c.GetRow(ctx, &done, addInvited, args...); err != nil {
		return nil, err
	}
	if done.Invited {
		s.db.Notify(n.Job.Kind)
	}
	if !done.Added {
		return nil, nil
	}
	return &person.Summary{State: n.Person.State(), Defined: done.Defined}, nil
}
