package changes

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// ChangeFeed tests that a reader that always continues after the last change it has read misses no
// change, even if concurrent transactions differ in length and some are rolled back.
func ChangeFeed(t *testing.T, b fixture.Backend) {
	t.Run("A reader that continues after the last change misses nothing and sees nothing twice", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		var done atomic.Bool
		seen, ended := []change.Change{}, make(chan error, 1)
		go func() {
			ended <- func() error {
				var last int64
				for {
					final := done.Load() // read once more after the writers have ended
					page, err := w.Read().Changes.Page(w.Context(), afterPosition(last))
					if err != nil {
						return err
					}
					for _, c := range page.Items {
						last, seen = c.Position, append(seen, c)
					}
					if final && len(page.Items) == 0 {
						return nil
					}
				}
			}()
		}()
		const rounds = 8
		kept := 0
		for i, err := range fixture.AtOnce(func(i int) error { return addCategories(w.Tenant, i, rounds) }) {
			is.NoErr(err)
			kept += rounds - len(droppedRounds(i, rounds))
		}
		done.Store(true)
		is.NoErr(<-ended)
		is.Equal(seen, changesAfter(w.Tenant, 0))
		is.Equal(len(seen), 2*kept)
	})

	t.Run("A change is readable only after all changes with lower positions", func(t *testing.T) {
		if b.Serial {
			t.Skip("transactions run one after another")
		}
		is, w := is.New(t), fixture.NewWorld(t, b)
		start := feed(w.Tenant).End
		first, second, foreign := w.NewCategory("First"), w.NewCategory("Second"), w.OtherTenant.NewCategory("Third "+w.ID.String())
		otherStart := feed(w.OtherTenant).End
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Categories.Add(ctx, category.Restore(first)); err != nil {
				return err
			}
			w.Save(second) // in a transaction of its own, which does not wait
			is.Equal(len(changesAfter(w.Tenant, start)), 0)
			w.OtherTenant.Save(foreign)
			is.Equal(len(changesAfter(w.OtherTenant, otherStart)), 1) // another school is not delayed
			return nil
		})
		got := changesAfter(w.Tenant, start)
		is.Equal(len(got), 2)
		is.Equal(got[0].Record.ID, first.ID.String())
		is.Equal(got[1].Record.ID, second.ID.String())
	})

	t.Run("A rolled-back transaction delays the feed only until its end", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		start := feed(w.Tenant).End
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.Categories.Add(ctx, category.Restore(w.NewCategory("First"))), fixture.ErrDropped)
		})
		is.True(errors.Is(err, fixture.ErrDropped))
		w.AddCategory("Second")
		is.Equal(len(changesAfter(w.Tenant, start)), 1)
	})
}

// droppedRounds returns the rounds that writer i rolls back.
func droppedRounds(i, rounds int) (dropped []int) {
	for r := range rounds {
		if (i+r)%3 == 0 {
			dropped = append(dropped, r)
		}
	}
	return dropped
}

// addCategories runs one transaction for each round, which adds two categories. It rolls back the
// rounds that droppedRounds returns for writer i.
func addCategories(s fixture.Tenant, i, rounds int) error {
	for r := range rounds {
		err := s.Try(func(ctx context.Context, tx ports.Tx) error {
			for n := range 2 {
				c := s.NewCategory(fmt.Sprintf("%d %d %d", i, r, n))
				if err := tx.Categories.Add(ctx, category.Restore(c)); err != nil {
					return err
				}
				if _, err := tx.Categories.List(ctx, query.Query{Page: query.NewPage(1, 1)}); err != nil {
					return err
				}
			}
			if (i+r)%3 == 0 {
				return fixture.ErrDropped
			}
			return nil
		})
		if err != nil && !errors.Is(err, fixture.ErrDropped) {
			return err
		}
	}
	return nil
}
