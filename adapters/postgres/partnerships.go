package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.PartnershipRepo = partnershipRepo{}

type partnershipRow struct {
	ID        uuid.UUID `db:"id"`
	Person    uuid.UUID `db:"person_id"`
	Role      string    `db:"role"`
	CreatedAt time.Time `db:"created_at"`
}

type partnershipRepo struct{ *session }

const (
	addPartnership = `
		INSERT INTO partnerships (school_id, id, person_id, role, created_at)
		SELECT p.school_id, $3, p.id, $4, $5 FROM people p
		WHERE p.school_id = $1 AND p.id = $2 FOR KEY SHARE
		ON CONFLICT (school_id, person_id, role) DO NOTHING`
	personExists   = `SELECT count(*) FROM people WHERE school_id = $1 AND id = $2`
	partnershipsOf = `SELECT id, person_id, role, created_at FROM partnerships WHERE school_id = $1 AND person_id = $2 ORDER BY id`
)

// AddIfAbsent keeps p unless the person has that role already.
func (c partnershipRepo) AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error) {
	n, err := c.exec(ctx, addPartnership, c.school, p.Person.UUID, p.ID.UUID, p.Role.String(), p.CreatedAt)
	if err != nil || n > 0 {
		return n > 0, err
	}
	var people int
	if err := c.get(ctx, &people, personExists, c.school, p.Person.UUID); err != nil {
		return false, err
	}
	if people == 0 {
		return false, fault.Missing()
	}
	return false, nil
}

// Of returns the partnerships of a person.
func (c partnershipRepo) Of(ctx context.Context, id person.ID) ([]person.Partnership, error) {
	var rows []partnershipRow
	if err := c.all(ctx, &rows, partnershipsOf, c.school, id.UUID); err != nil {
		return nil, err
	}
	found := make([]person.Partnership, len(rows))
	for i, r := range rows {
		role, err := person.ParseRole(r.Role)
		if err != nil {
			return nil, corrupt("partnerships", r.ID, err)
		}
		found[i] = person.Partnership{
			ID: person.PartnershipID{UUID: r.ID}, Person: person.ID{UUID: r.Person},
			Role: role, CreatedAt: r.CreatedAt.UTC(),
		}
	}
	return found, nil
}
