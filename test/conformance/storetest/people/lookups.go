package people

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// invalidTexts contains texts that no stored record can have.
var invalidTexts = []string{"", "a\x00b", "\xff"}

// Lookups tests the methods that find many records by a name or code.
func Lookups(t *testing.T, b fixture.Backend) {
	t.Run("ByEmail returns the people with these addresses by unique key and omits unknown addresses", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		avatar, at := "https://img.example.test/a.png", w.NextTime()
		ada := w.AddPerson("Ada@example.test", func(p *person.State) { p.AvatarURL, p.ActivatedAt = &avatar, &at })
		jose := w.AddPerson("José@example.test")
		w.AddPerson("grace@example.test")
		found, err := peopleByEmail(w.Tenant, append(invalidTexts,
			"aDA@example.test", "JOSÉ@EXAMPLE.TEST", "jose@example.test", "ada@example.test", "alan@example.test")...)
		is.NoErr(err)
		is.Equal(fixture.Diff(found, map[string]person.State{"ada@example.test": ada, "josé@example.test": jose}), "")
		*found["ada@example.test"].AvatarURL = "changed"
		is.Equal(fixture.Diff(w.PersonSummary(ada.ID).State, ada), "") // the result is a copy
		none, err := peopleByEmail(w.Tenant)
		is.NoErr(err)
		is.Equal(len(none), 0)
	})

	t.Run("ByEmail locks nothing", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		ada := w.AddPerson("ada@example.test")
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.People.ByEmail(ctx, []string{ada.Email}); err != nil {
				return err
			}
			return w.DeletePerson(ada.ID)
		})
	})

	t.Run("IDsByName returns the ids of the groups with these names by unique key and omits unknown names", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		cafe, painters := w.AddGroup("Café").ID, w.AddGroup("Painters").ID
		w.AddGroup("Singers")
		found, err := groupsByName(w.Tenant, append(invalidTexts, "CAFÉ", "cafe", "painters", "PAINTERS", "Sculptors")...)
		is.NoErr(err)
		is.Equal(found, map[string]group.ID{"café": cafe, "painters": painters})
	})

	t.Run("IDsByName locks nothing", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		g := w.AddGroup("Painters")
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Groups.IDsByName(ctx, []string{g.Name}); err != nil {
				return err
			}
			return w.TryDeleteGroup(g.ID)
		})
	})

	t.Run("IDsByCode returns the ids of the coupons with these codes by unique key and omits unknown codes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		spring, cafe := w.NewCoupon("SPRING"), w.NewCoupon("Café")
		w.Save(spring, cafe, w.NewCoupon("AUTUMN"))
		found, err := couponsByCode(w.Tenant, append(invalidTexts, "spring", "CAFÉ", "cafe", "SPRING", "winter")...)
		is.NoErr(err)
		is.Equal(found, map[string]coupon.ID{"spring": spring.ID, "café": cafe.ID})
	})

	t.Run("IDsByCode locks nothing", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		c := w.NewCoupon("SPRING")
		w.Save(c)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Coupons.IDsByCode(ctx, []string{c.Code}); err != nil {
				return err
			}
			return w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.Coupons.Delete(ctx, c.ID) })
		})
	})

	t.Run("IDsByPermalink returns the ids of the courses with these permalinks, compared byte by byte", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, singing := w.AddCourse("Drawing").ID, w.AddCourse("Singing").ID
		w.AddCourse("Dancing")
		found, err := coursesByPermalink(w.Tenant, append(invalidTexts, "drawing", "SINGING", "singing", "drawing", "sculpting")...)
		is.NoErr(err)
		is.Equal(found, map[string]course.ID{"drawing": drawing, "singing": singing})
	})

	t.Run("Records written by the transaction are found", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g := w.NewGroup("Painters")
		var found map[string]group.ID
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			if err := fixture.Add(ctx, tx, g); err != nil {
				return err
			}
			found, err = tx.Groups.IDsByName(ctx, []string{"painters"})
			return err
		})
		is.Equal(found, map[string]group.ID{"painters": g.ID})
	})
}

func peopleByEmail(s fixture.Tenant, emails ...string) (map[string]person.State, error) {
	states := map[string]person.State{}
	err := s.Try(func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.People.ByEmail(ctx, emails)
		clear(states)
		for key, p := range found {
			states[key] = p.State()
		}
		return err
	})
	return states, err
}

func groupsByName(s fixture.Tenant, names ...string) (found map[string]group.ID, err error) {
	err = s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Groups.IDsByName(ctx, names)
		return err
	})
	return found, err
}

func couponsByCode(s fixture.Tenant, codes ...string) (found map[string]coupon.ID, err error) {
	err = s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Coupons.IDsByCode(ctx, codes)
		return err
	})
	return found, err
}

func coursesByPermalink(s fixture.Tenant, permalinks ...string) (found map[string]course.ID, err error) {
	err = s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Courses.IDsByPermalink(ctx, permalinks)
		return err
	})
	return found, err
}
