package changes

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/change"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// followersDue returns the followers of the school that have work to do.
func followersDue(w fixture.World, names, everywhere []string) (own []change.Follower) {
	w.T.Helper()
	all, err := w.Schools.FollowersBehind(w.Context(), names, everywhere)
	w.Must(err)
	for _, f := range all {
		if f.School == w.ID {
			own = append(own, f)
		}
	}
	return own
}

// move moves a follower and reports whether it had the position of f.
func move(s fixture.Tenant, f change.Follower, to int64) bool {
	s.T.Helper()
	moved, err := fixture.InTx(s, func(ctx context.Context, tx ports.Tx) (bool, error) { return tx.Followers.Move(ctx, f, to) })
	s.Must(err)
	return moved
}

// Followers tests ports.FollowerRepo and Schools.FollowersBehind.
func Followers(t *testing.T, b fixture.Backend) {
	t.Run("FollowersBehind returns the followers with these names that have changes after their position", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, other := change.Follower{School: w.ID, Name: "one"}, change.Follower{School: w.ID, Name: "other"}
		w.Save(other, one)
		is.Equal(len(followersDue(w, []string{"one", "other"}, nil)), 0) // there are no changes
		w.AddCategory("Design")
		last := changesAfter(w.Tenant, 0)[0].Position
		is.Equal(followersDue(w, []string{"other", "one"}, nil), []change.Follower{one, other})
		is.Equal(followersDue(w, []string{"other"}, []string{"one"}), []change.Follower{one, other})
		is.Equal(followersDue(w, []string{"none", "one"}, nil), []change.Follower{one})
		is.True(move(w.Tenant, one, last))
		is.Equal(followersDue(w, []string{"other", "one"}, nil), []change.Follower{other})
		w.AddCategory("Music")
		one.Position = last
		is.Equal(followersDue(w, []string{"other", "one"}, nil), []change.Follower{one, other})
	})

	t.Run("FollowersBehind ignores audit events that are no changes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.Save(change.Follower{Name: "one"})
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return tx.Audit.Add(ctx, "exported", change.Record{Type: "people", ID: "all"})
		})
		is.Equal(len(followersDue(w, []string{"one"}, nil)), 0)
	})

	t.Run("FollowersBehind returns followers with an end, and New where a follower of everywhere is missing", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		replay := change.Follower{School: w.ID, Name: "replay", Position: 3, Until: 7}
		w.Save(replay, change.Follower{Name: "one"})
		missing := change.Follower{School: w.ID, Name: "missing", Position: change.New}
		is.Equal(followersDue(w, nil, []string{"one", "missing"}), []change.Follower{missing, replay})
	})

	t.Run("Extend sets the end of the followers with these names, and returns those that exist", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, other := change.Follower{School: w.ID, Name: "one", Position: 3, Until: 7}, change.Follower{School: w.ID, Name: "other", Position: 3, Until: 7}
		two := change.Follower{School: w.ID, Name: "two", Position: 5, Until: 6}
		w.Save(one, other, two)
		extended, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]string, error) {
			return tx.Followers.Extend(ctx, []string{"two", "none", "one"}, 9)
		})
		is.NoErr(err)
		slices.Sort(extended)
		is.Equal(extended, []string{"one", "two"})
		one.Until, two.Until = 9, 9
		is.Equal(followersDue(w, nil, nil), []change.Follower{one, other, two})
	})

	t.Run("Move returns false if the follower has another position or end, or does not exist", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		f := change.Follower{School: w.ID, Name: "one", Position: 3, Until: 9}
		w.Save(f)
		is.True(move(w.Tenant, f, 5))
		is.True(!move(w.Tenant, f, 6))
		f.Position = 5
		is.Equal(followersDue(w, nil, nil), []change.Follower{f})
		extended := f
		extended.Until = 10
		is.True(!move(w.Tenant, extended, 6))
		is.Equal(followersDue(w, nil, nil), []change.Follower{f})
		f.Name = "unknown"
		is.True(!move(w.Tenant, f, 6))
	})

	t.Run("AddIfAbsent keeps a follower, Add replaces it and Delete deletes it", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		f := change.Follower{School: w.ID, Name: "one", Position: 3, Until: 9}
		next := change.Follower{School: w.ID, Name: "one", Position: 1, Until: 4}
		add := func(f change.Follower) {
			w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Followers.AddIfAbsent(ctx, f) })
		}
		add(f)
		add(next)
		is.Equal(followersDue(w, nil, nil), []change.Follower{f})
		w.Save(next)
		is.Equal(followersDue(w, nil, nil), []change.Follower{next})
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Followers.Delete(ctx, "one") })
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Followers.Delete(ctx, "one") })
		is.Equal(len(followersDue(w, nil, nil)), 0)
	})
}
