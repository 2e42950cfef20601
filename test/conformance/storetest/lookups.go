package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/ports"
)

// invalidTexts contains texts that no stored record can have.
var invalidTexts = []string{"", "a\x00b", "\xff"}

// lookups tests the methods that find many records by a name or code.
func lookups(t *testing.T, b Backend) {
	t.Run("ByEmail returns the people with these addresses by unique key and omits unknown addresses", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		avatar, at := "https://img.example.test/a.png", w.nextTime()
		ada := w.addPerson("Ada@example.test", func(p *person.State) { p.AvatarURL, p.ActivatedAt = &avatar, &at })
		jose := w.addPerson("José@example.test")
		w.addPerson("grace@example.test")
		found, err := w.peopleByEmail(append(invalidTexts,
			"aDA@example.test", "JOSÉ@EXAMPLE.TEST", "jose@example.test", "ada@example.test", "alan@example.test")...)
		is.NoErr(err)
		is.Equal(diff(found, map[string]person.State{"ada@example.test": ada, "josé@example.test": jose}), "")
		*found["ada@example.test"].AvatarURL = "changed"
		is.Equal(diff(w.personSummary(ada.ID).State, ada), "") // the result is a copy
		none, err := w.peopleByEmail()
		is.NoErr(err)
		is.Equal(len(none), 0)
	})

	t.Run("ByEmail locks nothing", func(t *testing.T) {
		w := newWorld(t, b)
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		ada := w.addPerson("ada@example.test")
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.People.ByEmail(ctx, []string{ada.Email}); err != nil {
				return err
			}
			return w.deletePerson(ada.ID)
		})
	})

	t.Run("IDsByName returns the ids of the groups with these names by unique key and omits unknown names", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		cafe, painters := w.addGroup("Café").ID, w.addGroup("Painters").ID
		w.addGroup("Singers")
		found, err := w.groupsByName(append(invalidTexts, "CAFÉ", "cafe", "painters", "PAINTERS", "Sculptors")...)
		is.NoErr(err)
		is.Equal(found, map[string]group.ID{"café": cafe, "painters": painters})
	})

	t.Run("IDsByName locks nothing", func(t *testing.T) {
		w := newWorld(t, b)
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		g := w.addGroup("Painters")
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Groups.IDsByName(ctx, []string{g.Name}); err != nil {
				return err
			}
			return w.tryDeleteGroup(g.ID)
		})
	})

	t.Run("IDsByCode returns the ids of the coupons with these codes by unique key and omits unknown codes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		spring, cafe := w.newCoupon("SPRING"), w.newCoupon("Café")
		w.save(spring, cafe, w.newCoupon("AUTUMN"))
		found, err := w.couponsByCode(append(invalidTexts, "spring", "CAFÉ", "cafe", "SPRING", "winter")...)
		is.NoErr(err)
		is.Equal(found, map[string]coupon.ID{"spring": spring.ID, "café": cafe.ID})
	})

	t.Run("IDsByCode locks nothing", func(t *testing.T) {
		w := newWorld(t, b)
		if b.Serial {
			return // in this store, no other transaction runs concurrently
		}
		c := w.newCoupon("SPRING")
		w.save(c)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Coupons.IDsByCode(ctx, []string{c.Code}); err != nil {
				return err
			}
			return w.try(func(ctx context.Context, tx ports.Tx) error { return tx.Coupons.Delete(ctx, c.ID) })
		})
	})

	t.Run("IDsByPermalink returns the ids of the courses with these permalinks, compared byte by byte", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, singing := w.addCourse("Drawing").ID, w.addCourse("Singing").ID
		w.addCourse("Dancing")
		found, err := w.coursesByPermalink(append(invalidTexts, "drawing", "SINGING", "singing", "drawing", "sculpting")...)
		is.NoErr(err)
		is.Equal(found, map[string]course.ID{"drawing": drawing, "singing": singing})
	})

	t.Run("Records written by the transaction are found", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		g := w.newGroup("Painters")
		var found map[string]group.ID
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			if err := add(ctx, tx, g); err != nil {
				return err
			}
			found, err = tx.Groups.IDsByName(ctx, []string{"painters"})
			return err
		})
		is.Equal(found, map[string]group.ID{"painters": g.ID})
	})
}

func (s tenant) peopleByEmail(emails ...string) (map[string]person.State, error) {
	states := map[string]person.State{}
	err := s.try(func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.People.ByEmail(ctx, emails)
		clear(states)
		for key, p := range found {
			states[key] = p.State()
		}
		return err
	})
	return states, err
}

func (s tenant) groupsByName(names ...string) (found map[string]group.ID, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Groups.IDsByName(ctx, names)
		return err
	})
	return found, err
}

func (s tenant) couponsByCode(codes ...string) (found map[string]coupon.ID, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Coupons.IDsByCode(ctx, codes)
		return err
	})
	return found, err
}

func (s tenant) coursesByPermalink(permalinks ...string) (found map[string]course.ID, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		found, err = tx.Courses.IDsByPermalink(ctx, permalinks)
		return err
	})
	return found, err
}
