package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
	"lyceum/domain/query"
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

var redemptionList = listsql.List[redemptionRow, redemption.Summary]{
	Table:   "redemptions",
	Columns: `r.id, r.coupon_id, r.person_id, r.created_at`,
	Joins:   []*listsql.Join{ofPerson},
	Attrs: map[string]listsql.Column{
		"uuid":         {Expr: "r.id"},
		"created_at":   {Expr: "r.created_at"},
		"coupon.id":    {Expr: "r.coupon_id"},
		"person.id":    {Expr: "r.person_id"},
		"person_name":  ofPerson.Text("full_name"),
		"person_email": ofPerson.Text("email"),
	},
	Sort:    redemption.Schema.Default(),
	Convert: redemptionRow.summary,
}

type redemptionReader struct{ *session }

// List returns a page of redemptions.
func (c redemptionReader) List(ctx context.Context, q query.Query) (query.Result[redemption.Summary], error) {
	return redemptionList.Page(ctx, c.session, q)
}

// Get returns the redemption id.
func (c redemptionReader) Get(ctx context.Context, id redemption.ID) (redemption.Summary, error) {
	return redemptionList.One(ctx, c.session, id.UUID)
}

type redemptionRepo struct{ redemptionReader }

const (
	addRedemption = `
		INSERT INTO redemptions (school_id, id, coupon_id, person_id, created_at) VALUES ($1, $2, $3, $4, $5)`
	removeRedemptionsOfCoupon = `DELETE FROM redemptions WHERE school_id = $1 AND coupon_id = $2`
	removeRedemptionsOfPerson = `DELETE FROM redemptions WHERE school_id = $1 AND person_id = $2`
)

// Add keeps a new redemption.
func (c redemptionRepo) Add(ctx context.Context, r redemption.Redemption) error {
	_, err := c.Exec(ctx, addRedemption, c.SchoolID, r.ID.UUID, r.Coupon.UUID, r.Person.UUID, r.CreatedAt)
	return err
}

// RemoveOfCoupon forgets all redemptions of a coupon.
func (c redemptionRepo) RemoveOfCoupon(ctx context.Context, id coupon.ID) error {
	_, err := c.Exec(ctx, removeRedemptionsOfCoupon, c.SchoolID, id.UUID)
	return err
}

// RemoveOfPerson forgets all redemptions of a person.
func (c redemptionRepo) RemoveOfPerson(ctx context.Context, id person.ID) error {
	_, err := c.Exec(ctx, removeRedemptionsOfPerson, c.SchoolID, id.UUID)
	return err
}
