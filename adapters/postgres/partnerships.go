package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/course"
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

var partnershipList = listsql.New(listsql.Definition{
	Table:   person.PartnershipType,
	Columns: listsql.RowColumns[partnershipRow](),
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"role":       listsql.PlainText("r.role"),
		"person.id":  {Expr: "r.person_id"},
		"created_at": {Expr: "r.created_at"},
	},
	Sort: person.PartnershipSchema.Default(),
}, partnershipRow.partnership)

type partnershipReader = reader[person.PartnershipID, partnershipRow, person.Partnership]

var partnershipTable = newTable("partnerships", []column[person.Partnership]{
	{"id", "uuid", func(p person.Partnership) any { return p.ID.UUID }},
	{"person_id", "uuid", func(p person.Partnership) any { return p.Person.UUID }},
	{"role", "text", func(p person.Partnership) any { return p.Role.String() }},
	{"created_at", "timestamptz", func(p person.Partnership) any { return p.CreatedAt }},
})

type partnershipRepo struct{ partnershipReader }

const (
	getPartnerships = `SELECT id, person_id, role, created_at FROM partnerships
		WHERE school_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE`
	lockPartnership = `SELECT id FROM partnerships WHERE school_id = $1 AND id = $2 FOR KEY SHARE`
	lockInstructor  = `SELECT k.partnership_id AS id FROM course_instructors k
		JOIN courses r ON r.school_id = k.school_id AND r.id = k.course_id
		WHERE k.school_id = $1 AND k.course_id = $2 AND k.partnership_id = $3 FOR KEY SHARE OF k`
	// FOR NO KEY UPDATE does not conflict with FOR KEY SHARE. A transaction that is about to delete
	// a partnership may wait for one that later locks the partnership for share.
	lockOwners        = `SELECT id FROM partnerships WHERE school_id = $1 AND role = 'owner' ORDER BY id FOR NO KEY UPDATE`
	deletePartnership = `DELETE FROM partnerships WHERE school_id = $1 AND id = $2`
	personExists      = `SELECT count(*) FROM people WHERE school_id = $1 AND id = $2`
	partnershipsOf    = `SELECT id, person_id, role, created_at FROM partnerships WHERE school_id = $1 AND person_id = $2 ORDER BY id`
)

var addPartnership = `
	INSERT INTO partnerships (` + partnershipTable.names() + `)
	SELECT p.school_id, $2, p.id, $4, $5 FROM people p
	WHERE p.school_id = $1 AND p.id = $3 FOR KEY SHARE
	ON CONFLICT (school_id, person_id, role) DO NOTHING`

// AddIfAbsent implements ports.PartnershipRepo.
func (r partnershipRepo) AddIfAbsent(ctx context.Context, p person.Partnership) (bool, error) {
	n, err := r.session.Exec(ctx, addPartnership, partnershipTable.args(r.session.SchoolID, p)...)
	if err != nil || n > 0 {
		return n > 0, err
	}
	var people int
	if err := r.session.GetRow(ctx, &people, personExists, r.session.SchoolID, p.Person.UUID); err != nil {
		return false, err
	}
	if people == 0 {
		return false, fault.RecordNotFound()
	}
	return false, nil
}

// ByPerson implements ports.PartnershipRepo.
func (r partnershipRepo) ByPerson(ctx context.Context, id person.ID) ([]person.Partnership, error) {
	return getAll(ctx, r.session, partnershipRow.partnership, partnershipsOf, r.session.SchoolID, id.UUID)
}

// GetManyForShare implements ports.PartnershipRepo.
func (r partnershipRepo) GetManyForShare(
	ctx context.Context, ids []person.PartnershipID,
) (map[person.PartnershipID]person.Partnership, error) {
	key := func(p person.Partnership) person.PartnershipID { return p.ID }
	return getMap(ctx, r.session, 0, partnershipRow.partnership, key, getPartnerships, r.session.SchoolID, idArray(ids))
}

// ExistsForShare implements ports.PartnershipRepo.
func (r partnershipRepo) ExistsForShare(ctx context.Context, id person.PartnershipID) (bool, error) {
	found, err := getIDs[person.PartnershipID](ctx, r.session, lockPartnership, r.session.SchoolID, id.UUID)
	return len(found) > 0, err
}

// InstructsForShare implements ports.PartnershipRepo.
func (r partnershipRepo) InstructsForShare(ctx context.Context, id person.PartnershipID, in course.ID) (bool, error) {
	found, err := getIDs[person.PartnershipID](ctx, r.session, lockInstructor, r.session.SchoolID, in.UUID, id.UUID)
	return len(found) > 0, err
}

// OwnersForUpdate implements ports.PartnershipRepo.
func (r partnershipRepo) OwnersForUpdate(ctx context.Context) ([]person.PartnershipID, error) {
	return getIDs[person.PartnershipID](ctx, r.session, lockOwners, r.session.SchoolID)
}

// Delete implements ports.PartnershipRepo.
func (r partnershipRepo) Delete(ctx context.Context, id person.PartnershipID) error {
	return r.session.deleteOne(ctx, deletePartnership, id.UUID)
}
