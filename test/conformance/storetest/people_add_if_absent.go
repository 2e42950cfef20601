package storetest

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/person"
	"lyceum/ports"
)

// peopleAddIfAbsent tests PersonRepo.AddIfAbsent.
func peopleAddIfAbsent(t *testing.T, b Backend) {
	t.Run("AddIfAbsent inserts the people with new addresses, the first of several equal ones, and returns their ids", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		late, bob, again := w.newPerson("ADA@example.test"), w.newPerson("Bob@example.test"), w.newPerson("bob@example.test")
		eve := w.newPerson("alice@example.test")
		kept, err := w.tryAddPeople(bob, late, again, eve)
		is.NoErr(err)
		is.Equal(kept, sortedPeople(bob.ID, eve.ID))
		found, err := w.peopleForShare(ada.ID, late.ID, bob.ID, again.ID, eve.ID)
		is.NoErr(err)
		is.Equal(diff(found, map[person.ID]person.State{ada.ID: ada, bob.ID: bob, eve.ID: eve}), "")
	})

	t.Run("AddIfAbsent inserts the same records as Add", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		avatar, at := "https://img.example.test/É.png", w.nextTime()
		full := w.newPerson("“a{b},c\"@example.test", func(p *person.State) {
			p.FirstName, p.LastName, p.AvatarURL, p.ActivatedAt, p.Unsubscribed = "Ada, {Countess}", "\"O'Neill\\\"", &avatar, &at, true
		})
		bare := w.newPerson("bare@example.test", func(p *person.State) { p.FirstName, p.LastName = "", "" })
		_, err := w.tryAddPeople(full, bare)
		is.NoErr(err)
		listed := w.all().People

		twin := newTenant(t, b, "Twin")
		twin.save(full, bare)
		is.Equal(diff(listed, twin.all().People), "")
		avatar = "changed"
		is.Equal(diff(w.all().People, twin.all().People), "") // the store keeps a copy of the avatar URL
	})

	t.Run("AddIfAbsent of no people does nothing", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kept, err := w.tryAddPeople()
		is.NoErr(err)
		is.Equal(len(kept), 0)
	})

	t.Run("An existing id is an error", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		bob := w.newPerson("bob@example.test")
		bob.ID = ada.ID
		before := w.all()
		_, err := w.tryAddPeople(w.newPerson("eve@example.test"), bob)
		is.True(err != nil)
		is.Equal(diff(w.all(), before), "")
	})
}

// tryAddPeople calls AddIfAbsent and returns the ids of the added people, sorted.
func (s tenant) tryAddPeople(ps ...person.State) (kept []person.ID, err error) {
	people := make([]person.Person, len(ps))
	for i, p := range ps {
		people[i] = person.Restore(p)
	}
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		kept, err = tx.People.AddIfAbsent(ctx, people)
		return err
	})
	return sortedPeople(kept...), err
}

func sortedPeople(ids ...person.ID) []person.ID {
	slices.SortFunc(ids, func(a, b person.ID) int { return cmp.Compare(a.String(), b.String()) })
	return ids
}
