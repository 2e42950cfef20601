package memory

import (
	"context"
	"fmt"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

var (
	_ ports.RedemptionReader = redemptionReader{}
	_ ports.RedemptionRepo   = redemptions{}
)

type redemptionReader struct{ view view }

func (r redemptionReader) List(ctx context.Context, q query.Query) (query.Result[redemption.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[redemption.Summary]{}, err
	}
	kept := s.redemptions.table
	return ordered.Listing[*redemption.Redemption, redemption.Summary]{
		Schema: redemption.Schema,
		Rows:   kept.rows,
		Show:   ordered.Derive(redemption.Schema, s.redemption),
		ByID:   kept.byID.Ordered(),
		Find: map[string]ordered.Finder[*redemption.Redemption]{
			"uuid": func(_ query.Attr, v query.Value) (*redemption.Redemption, bool) { return kept.byID.Get(v.ID) },
		},
	}.List(ctx, q)
}

func (r redemptionReader) Get(ctx context.Context, id redemption.ID) (redemption.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return redemption.Summary{}, err
	}
	kept, ok := s.redemptions.table.byID.Get(id.UUID)
	if !ok {
		return redemption.Summary{}, fault.Missing()
	}
	return s.redemption(kept), nil
}

type redemptions struct {
	redemptionReader
	tx *tx
}

func (r redemptions) Add(ctx context.Context, added redemption.Redemption) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if !s.coupons.table.Has(added.Coupon.UUID) {
		return fmt.Errorf("memory: the redemption %s names an unknown coupon", added.ID)
	}
	if !s.people.table.Has(added.Person.UUID) {
		return fmt.Errorf("memory: the redemption %s names an unknown person", added.ID)
	}
	if _, ok := s.redemptions.table.byID.Get(added.ID.UUID); ok {
		return fmt.Errorf("memory: redemptions already has %s", added.ID)
	}
	kept := s.redemptions.own(s.version)
	kept.byID.Set(added.ID.UUID, &added)
	kept.rows.Set(&added)
	return nil
}

func (r redemptions) RemoveOfCoupon(ctx context.Context, id coupon.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	s.redemptions.own(s.version).removeOf("coupon.id", id.UUID)
	return nil
}

func (r redemptions) RemoveOfPerson(ctx context.Context, id person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	s.redemptions.own(s.version).removeOf("person.id", id.UUID)
	return nil
}

// redemption returns a redemption with the names of the moment.
func (s *state) redemption(kept *redemption.Redemption) redemption.Summary {
	p, _ := s.people.table.ByID.Get(kept.Person.UUID)
	return redemption.Summary{Redemption: *kept, PersonName: p.Row.FullName(), PersonEmail: p.Row.Email}
}
