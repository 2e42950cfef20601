package memory

import (
	"cmp"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/redemption"
)

// redeemed is the redemptions of a school. They are never changed.
type redeemed struct {
	byID ordered.Dict[uuid.UUID, *redemption.Redemption]
	rows ordered.Index[*redemption.Redemption]
}

func newRedeemed() redeemed {
	return redeemed{
		byID: ordered.NewDict[uuid.UUID, *redemption.Redemption](ordered.CompareIDs),
		rows: ordered.NewIndex(ordered.Order[*redemption.Redemption]{
			Compare: func(a, b *redemption.Redemption) int {
				return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
			},
			Sections: []ordered.Section[*redemption.Redemption]{
				{Attr: "coupon.id", ID: func(r *redemption.Redemption) uuid.UUID { return r.Coupon.UUID }},
				{Attr: "person.id", ID: func(r *redemption.Redemption) uuid.UUID { return r.Person.UUID }},
			},
		}),
	}
}

// Copy returns redemptions that change on their own.
func (r redeemed) Copy() redeemed { return redeemed{r.byID.Copy(), r.rows.Copy()} }

// removeOf forgets those whose attribute attr, which must be a section's, is id.
func (r redeemed) removeOf(attr string, id uuid.UUID) {
	var gone []*redemption.Redemption
	for row := range r.rows.Within(attr, id).From(0) {
		gone = append(gone, row)
	}
	for _, row := range gone {
		r.byID.Remove(row.ID.UUID)
		r.rows.Remove(row)
	}
}
