package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/learnerlists"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

var _ ports.RedemptionRepo = redemptionRepo{}

type redemptionRow struct {
	ID        uuid.UUID `db:"id"`
	Coupon    uuid.UUID `db:"coupon_id"`
	Person    uuid.UUID `db:"person_id"`
	CreatedAt time.Time `db:"created_at"`
}

func (r redemptionRow) summary() (redemption.Summary, error) {
	return redemption.Summary{
		Redemption: redemption.Redemption{
			ID: redemption.ID{UUID: r.ID}, Coupon: coupon.ID{UUID: r.Coupon}, Person: person.ID{UUID: r.Person},
			CreatedAt: r.CreatedAt.UTC(),
		},
	}, nil
}

var redemptionList = listsql.New(listsql.Definition{
	Table:   "redemptions",
	Columns: listsql.RowColumns[redemptionRow](),
	Joins:   []*listsql.Join{learnerlists.JoinPerson},
	Attrs: map[string]listsql.Column{
		"uuid":         {Expr: "r.id"},
		"created_at":   {Expr: "r.created_at"},
		"coupon.id":    {Expr: "r.coupon_id"},
		"person.id":    {Expr: "r.person_id"},
		"person_name":  learnerlists.JoinPerson.Text("full_name"),
		"person_email": learnerlists.JoinPerson.Text("email"),
	},
	Sort: redemption.Schema.Default(),
}, redemptionRow.summary)

type redemptionReader = reader[redemption.ID, redemptionRow, redemption.Summary]

var redemptionTable = newTable("redemptions", []column[redemption.Redemption]{
	{"id", "uuid", func(r redemption.Redemption) any { return r.ID.UUID }},
	{"coupon_id", "uuid", func(r redemption.Redemption) any { return r.Coupon.UUID }},
	{"person_id", "uuid", func(r redemption.Redemption) any { return r.Person.UUID }},
	{"created_at", "timestamptz", func(r redemption.Redemption) any { return r.CreatedAt }},
})

type redemptionRepo struct{ redemptionReader }

const (
	deleteRedemptionsOfCoupon = `
		DELETE FROM redemptions WHERE school_id = $1 AND ctid = ANY (ARRAY (
			SELECT ctid FROM redemptions WHERE school_id = $1 AND coupon_id = $2 LIMIT $3 FOR UPDATE
		))`
	deleteRedemptionsOfPerson = `
		DELETE FROM redemptions WHERE school_id = $1 AND ctid = ANY (ARRAY (
			SELECT ctid FROM redemptions WHERE school_id = $1 AND person_id = $2 LIMIT $3 FOR UPDATE
		))`
)

// Add implements ports.RedemptionRepo.
func (r redemptionRepo) Add(ctx context.Context, added redemption.Redemption) error {
	return insert(ctx, r.session, redemptionTable, added)
}

// DeleteByCoupon implements ports.RedemptionRepo.
func (r redemptionRepo) DeleteByCoupon(ctx context.Context, id coupon.ID, limit int) (int, error) {
	return r.session.Exec(ctx, deleteRedemptionsOfCoupon, r.session.SchoolID, id.UUID, limit)
}

// DeleteByPerson implements ports.RedemptionRepo.
func (r redemptionRepo) DeleteByPerson(ctx context.Context, id person.ID, limit int) (int, error) {
	return r.session.Exec(ctx, deleteRedemptionsOfPerson, r.session.SchoolID, id.UUID, limit)
}
