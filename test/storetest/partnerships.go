package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/person"
	"lyceum/ports"
)

// partnerships tests ports.PartnershipRepo.
func partnerships(t *testing.T, b Backend) {
	t.Run("AddIfAbsent keeps p unless the person has that role already, and tells whether it was kept", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		owner, manager := w.newPartner(ada.ID, person.Owner), w.newPartner(ada.ID, person.Manager)
		second, others := w.newPartner(ada.ID, person.Owner), w.newPartner(grace.ID, person.Owner)
		steps := []struct {
			p    person.Partnership
			kept bool
		}{{owner, true}, {manager, true}, {second, false}, {owner, false}, {others, true}}
		for _, step := range steps {
			kept, err := w.tryPartner(step.p)
			is.NoErr(err)
			is.Equal(kept, step.kept)
		}
		is.Equal(diff(w.partnershipsOf(ada.ID), []person.Partnership{owner, manager}), "") // the first of two alike
		is.Equal(diff(w.partnershipsOf(grace.ID), []person.Partnership{others}), "")
	})

	t.Run("AddIfAbsent returns NotFound when there is no such person", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		_, err := w.tryPartner(w.newPartner(w.newPerson("ada@example.test").ID, person.Owner))
		is.True(isMissing(err))
	})

	t.Run("Of returns the partnerships of a person in the order of their ids", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		ada := w.addPerson("ada@example.test")
		w.addPartner(w.addPerson("grace@example.test").ID, person.Owner)
		first := w.newPartner(ada.ID, person.Manager)
		second := w.newPartner(ada.ID, person.Instructor)
		third := w.newPartner(ada.ID, person.Owner)
		for _, p := range []person.Partnership{third, first, second} {
			_, err := w.tryPartner(p)
			is.NoErr(err)
		}
		is.Equal(diff(w.partnershipsOf(ada.ID), []person.Partnership{first, second, third}), "")
		// The person's summary names them in the same order.
		is.Equal(diff(w.summary(ada.ID).Partnerships, []person.PartnershipID{first.ID, second.ID, third.ID}), "")
	})

	t.Run("Of returns none for a person who has none, and for one who does not exist", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		w.addPartner(w.addPerson("grace@example.test").ID, person.Owner)
		is.Equal(len(w.partnershipsOf(w.addPerson("ada@example.test").ID)), 0)
		is.Equal(len(w.partnershipsOf(w.newPerson("alan@example.test").ID)), 0)
	})
}

func (s tenant) tryPartner(p person.Partnership) (kept bool, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		kept, err = tx.Partnerships.AddIfAbsent(ctx, p)
		return err
	})
	return kept, err
}

func (s tenant) partnershipsOf(id person.ID) []person.Partnership {
	s.t.Helper()
	var all []person.Partnership
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		all, err = tx.Partnerships.Of(ctx, id)
		return err
	})
	return all
}
