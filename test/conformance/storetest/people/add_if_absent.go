package people

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// AddIfAbsent tests PersonRepo.AddIfAbsent.
func AddIfAbsent(t *testing.T, b fixture.Backend) {
	t.Run("AddIfAbsent inserts the people with new addresses, the first of several equal ones, and returns their ids", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		late, bob, again := w.NewPerson("ADA@example.test"), w.NewPerson("Bob@example.test"), w.NewPerson("bob@example.test")
		eve := w.NewPerson("alice@example.test")
		kept, err := tryAddPeople(w.Tenant, bob, late, again, eve)
		is.NoErr(err)
		is.Equal(kept, sortedPeople(bob.ID, eve.ID))
		found, err := peopleForShare(w.Tenant, ada.ID, late.ID, bob.ID, again.ID, eve.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(found, map[person.ID]person.State{ada.ID: ada, bob.ID: bob, eve.ID: eve}), "")
	})

	t.Run("AddIfAbsent inserts the same records as Add", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		avatar, at := "https://img.example.test/É.png", w.NextTime()
		full := w.NewPerson("“a{b},c\"@example.test", func(p *person.State) {
			p.FirstName, p.LastName, p.AvatarURL, p.ActivatedAt, p.Unsubscribed = "Ada, {Countess}", "\"O'Neill\\\"", &avatar, &at, true
		})
		bare := w.NewPerson("bare@example.test", func(p *person.State) { p.FirstName, p.LastName = "", "" })
		_, err := tryAddPeople(w.Tenant, full, bare)
		is.NoErr(err)
		listed := w.All().People

		twin := fixture.NewTenant(t, b, "Twin")
		twin.Save(full, bare)
		is.Equal(fixture.Diff(listed, twin.All().People), "")
		avatar = "changed"
		is.Equal(fixture.Diff(w.All().People, twin.All().People), "") // the store keeps a copy of the avatar URL
	})

	t.Run("AddIfAbsent of no people does nothing", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kept, err := tryAddPeople(w.Tenant)
		is.NoErr(err)
		is.Equal(len(kept), 0)
	})

	t.Run("An existing id is an error", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		bob := w.NewPerson("bob@example.test")
		bob.ID = ada.ID
		before := w.All()
		_, err := tryAddPeople(w.Tenant, w.NewPerson("eve@example.test"), bob)
		is.True(err != nil)
		is.Equal(fixture.Diff(w.All(), before), "")
	})
}

// tryAddPeople calls AddIfAbsent and returns the ids of the added people, sorted.
func tryAddPeople(s fixture.Tenant, ps ...person.State) (kept []person.ID, err error) {
	people := make([]person.Person, len(ps))
	for i, p := range ps {
		people[i] = person.Restore(p)
	}
	err = s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
		kept, err = tx.People.AddIfAbsent(ctx, people)
		return err
	})
	return sortedPeople(kept...), err
}

func sortedPeople(ids ...person.ID) []person.ID {
	slices.SortFunc(ids, func(a, b person.ID) int { return cmp.Compare(a.String(), b.String()) })
	return ids
}
