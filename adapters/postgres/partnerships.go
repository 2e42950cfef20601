package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.PartnershipRepo = partnershipRepo{}

type partnershipRow struct {
	ID        uuid.UUID `db:"id"`
	Person    uuid.UUID `db:"person_id"`
	Role      string    `db:"role"`
	CreatedAt time.Time `db:"created_at"`
}

func (r partnershipRow) partnership() (person.Partnership, error) {
	role, err := person.ParseRole(r.Role)
	if err != nil {
		return person.Partnership{}, pgdb.Corrupt(person.PartnershipType, r.ID, err)
	}
	return person.Partnership{
		ID: person.PartnershipID{UUID: r.ID}, Person: person.ID{UUID: r.Person},
		Role: role, CreatedAt: r.CreatedAt.UTC(),
	}, nil
}

var partnershipList = listsql.List[partnershipRow, person.Partnership]{
	Table:   person.PartnershipType,
	Columns: "r.id, r.person_id, r.role, r.created_at",
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"role":       listsql.PlainText("r.role"),
		"person.id":  {Expr: "r.person_id"},
		"created_at": {Expr: "r.created_at"},
	},
	Sort:    person.PartnershipSchema.Default(),
	Convert: partnershipRow.partnership,
}

type partnershipReader struct{ *session }

// List returns a page of partnerships.
func (c partnershipReader) List(ctx context.Context, q query.Query) (query.Result[person.Partnership], error) {
	return partnershipList.Page(ctx, c.session, q)
}

// Get returns the partnership id.
func (c partnershipReader) Get(ctx context.Context, id person.PartnershipID) (person.Partnership, error) {
	return partnershipList.One(ctx, c.session, id.UUID)
}

type partnershipRepo struct{ partnershipReader }

const (
	loadPartnerships = `SELECT id, person_id, role, created_at FROM partnerships
		WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE`
	lockOwners        = `SELECT id FROM partnerships WHERE school_id = $1 AND role = 'owner' ORDER BY id FOR UPDATE`
	removePartnership = `DELETE FROM partnerships WHERE school_id = $1 AND id = $2`
	addPartnership    = `
		INSERT INTO partnerships (school_id, id, person_id, role, created_at)
		SELECT p.school_id, $3, p.id, $4, $5 FROM people p
		WHERE p.school_id = $1 AND p.id = $2 FOR KEY SHARE
		ON CONFLICT (school_id, person_id, role) DO NOTHING`
	personExists   = `SELECT count(*) FROM people WHERE school_id = $1 AND id = $2`
	partnershipsOf = `SELECT id, person_id, role, created_at FROM partnerships WHERE school_id = $1 AND person_id = $2 ORDER BY id`
)

// AddIfAbsent keeps p unless the person has that role already.
func (c partnershipRepo) AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error) {
	n, err := c.Exec(ctx, addPartnership, c.SchoolID, p.Person.UUID, p.ID.UUID, p.Role.String(), p.CreatedAt)
	if err != nil || n > 0 {
		return n > 0, err
	}
	var people int
	if err := c.GetRow(ctx, &people, personExists, c.SchoolID, p.Person.UUID); err != nil {
		return false, err
	}
	if people == 0 {
		return false, fault.Missing()
	}
	return false, nil
}

// Of returns the partnerships of a person.
func (c partnershipRepo) Of(ctx context.Context, id person.ID) ([]person.Partnership, error) {
	return c.selected(ctx, partnershipsOf, id.UUID)
}

// Load returns the partnerships ids and locks them against removal.
func (c partnershipRepo) Load(
	ctx context.Context, ids []person.PartnershipID,
) (map[person.PartnershipID]person.Partnership, error) {
	rows, err := c.selected(ctx, loadPartnerships, pq.Array(pgdb.IDStrings(ids)))
	found := make(map[person.PartnershipID]person.Partnership, len(rows))
	for _, p := range rows {
		found[p.ID] = p
	}
	return found, err
}

// Owners returns the ids of all partnerships as owner and locks them.
func (c partnershipRepo) Owners(ctx context.Context) ([]person.PartnershipID, error) {
	ids := []person.PartnershipID{}
	err := c.SelectRows(ctx, &ids, lockOwners, c.SchoolID)
	return ids, err
}

// Remove forgets the partnership id.
func (c partnershipRepo) Remove(ctx context.Context, id person.PartnershipID) error {
	return c.remove(ctx, removePartnership, id.UUID)
}

// selected returns the partnerships that a statement selects, by school and by which.
func (c partnershipRepo) selected(ctx context.Context, statement string, which any) ([]person.Partnership, error) {
	var rows []partnershipRow
	if err := c.SelectRows(ctx, &rows, statement, c.SchoolID, which); err != nil {
		return nil, err
	}
	found := make([]person.Partnership, len(rows))
	for i, r := range rows {
		p, err := r.partnership()
		if err != nil {
			return nil, err
		}
		found[i] = p
	}
	return found, nil
}
