package storetest

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
)

// changeFeed tests that a reader that always continues after the last change it has read misses no
// change, even if concurrent transactions differ in length and some are rolled back.
func changeFeed(t *testing.T, b Backend) {
	t.Run("A reader that continues after the last change misses nothing and sees nothing twice", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		var done atomic.Bool
		seen, ended := []change.Change{}, make(chan error, 1)
		go func() {
			ended <- func() error {
				var last int64
				for {
					final := done.Load() // read once more after the writers have ended
					page, err := w.read().Changes.Page(w.ctx(), afterPosition(last))
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
		for i, err := range atOnce(func(i int) error { return w.addCategories(i, rounds) }) {
			is.NoErr(err)
			kept += rounds - len(droppedRounds(i, rounds))
		}
		done.Store(true)
		is.NoErr(<-ended)
		is.Equal(seen, w.changesAfter(0))
		is.Equal(len(seen), 2*kept)
	})

	t.Run("A change is readable only after all changes with lower positions", func(t *testing.T) {
		if b.Serial {
			t.Skip("transactions run one after another")
		}
		is, w := is.New(t), newWorld(t, b)
		start := w.feed().End
		first, second, foreign := w.newCategory("First"), w.newCategory("Second"), w.otherTenant.newCategory("Third "+w.id.String())
		otherStart := w.otherTenant.feed().End
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Categories.Add(ctx, category.Restore(first)); err != nil {
				return err
			}
			w.save(second) // in a transaction of its own, which does not wait
			is.Equal(len(w.changesAfter(start)), 0)
			w.otherTenant.save(foreign)
			is.Equal(len(w.otherTenant.changesAfter(otherStart)), 1) // another school is not delayed
			return nil
		})
		got := w.changesAfter(start)
		is.Equal(len(got), 2)
		is.Equal(got[0].Record.ID, first.ID.String())
		is.Equal(got[1].Record.ID, second.ID.String())
	})

	t.Run("A rolled-back transaction delays the feed only until its end", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		start := w.feed().End
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.Categories.Add(ctx, category.Restore(w.newCategory("First"))), errDropped)
		})
		is.True(errors.Is(err, errDropped))
		w.addCategory("Second")
		is.Equal(len(w.changesAfter(start)), 1)
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
func (s tenant) addCategories(i, rounds int) error {
	for r := range rounds {
		err := s.try(func(ctx context.Context, tx ports.Tx) error {
			for n := range 2 {
				c := s.newCategory(fmt.Sprintf("%d %d %d", i, r, n))
				if err := tx.Categories.Add(ctx, category.Restore(c)); err != nil {
					return err
				}
				if _, err := tx.Categories.List(ctx, query.Query{Page: query.NewPage(1, 1)}); err != nil {
					return err
				}
			}
			if (i+r)%3 == 0 {
				return errDropped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errDropped) {
			return err
		}
	}
	return nil
}
