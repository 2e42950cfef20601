package memory

import (
	"cmp"

	"github.com/google/uuid"
	"lyceum/domain/redemption"
)

// redeemed is the redemptions of a school. They are never changed.
type redeemed struct {
	byID dict[uuid.UUID, *redemption.Redemption]
	rows index[*redemption.Redemption]
}

func newRedeemed() redeemed {
	return redeemed{
		byID: newDict[uuid.UUID, *redemption.Redemption](compareIDs),
		rows: newIndex(order[*redemption.Redemption]{
			compare: func(a, b *redemption.Redemption) int {
				return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), compareIDs(a.ID.UUID, b.ID.UUID))
			},
			sections: []section[*redemption.Redemption]{
				{"coupon.id", func(r *redemption.Redemption) uuid.UUID { return r.Coupon.UUID }},
				{"person.id", func(r *redemption.Redemption) uuid.UUID { return r.Person.UUID }},
			},
		}),
	}
}

// Copy returns redemptions that change on their own.
func (r redeemed) Copy() redeemed { return redeemed{r.byID.Copy(), r.rows.Copy()} }

// removeOf forgets those whose attribute attr, which must be a section's, is id.
func (r redeemed) removeOf(attr string, id uuid.UUID) {
	var gone []*redemption.Redemption
	for row := range r.rows.within(attr, id).from(0) {
		gone = append(gone, row)
	}
	for _, row := range gone {
		r.byID.remove(row.ID.UUID)
		r.rows.remove(row)
	}
}
