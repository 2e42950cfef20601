package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/change"
	"lyceum/ports"
)

// followersDue returns the followers of the school that have work to do.
func (w world) followersDue(names, everywhere []string) (own []change.Follower) {
	w.t.Helper()
	all, err := w.schools.FollowersBehind(w.ctx(), names, everywhere)
	w.must(err)
	for _, f := range all {
		if f.School == w.id {
			own = append(own, f)
		}
	}
	return own
}

// move moves a follower and reports whether it had the position of f.
func (s tenant) move(f change.Follower, to int64) bool {
	s.t.Helper()
	moved, err := inTx(s, func(ctx context.Context, tx ports.Tx) (bool, error) { return tx.Followers.Move(ctx, f, to) })
	s.must(err)
	return moved
}

// follow tests ports.FollowerRepo and Schools.FollowersBehind.
func follow(t *testing.T, b Backend) {
	t.Run("FollowersBehind returns the followers with these names that have changes after their position", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, other := change.Follower{School: w.id, Name: "one"}, change.Follower{School: w.id, Name: "other"}
		w.save(other, one)
		is.Equal(len(w.followersDue([]string{"one", "other"}, nil)), 0) // there are no changes
		w.addCategory("Design")
		last := w.changesAfter(0)[0].Position
		is.Equal(w.followersDue([]string{"other", "one"}, nil), []change.Follower{one, other})
		is.Equal(w.followersDue([]string{"other"}, []string{"one"}), []change.Follower{one, other})
		is.Equal(w.followersDue([]string{"none", "one"}, nil), []change.Follower{one})
		is.True(w.move(one, last))
		is.Equal(w.followersDue([]string{"other", "one"}, nil), []change.Follower{other})
		w.addCategory("Music")
		one.Position = last
		is.Equal(w.followersDue([]string{"other", "one"}, nil), []change.Follower{one, other})
	})

	t.Run("FollowersBehind ignores audit events that are no changes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.save(change.Follower{Name: "one"})
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return tx.Audit.Add(ctx, "exported", change.Record{Type: "people", ID: "all"})
		})
		is.Equal(len(w.followersDue([]string{"one"}, nil)), 0)
	})

	t.Run("FollowersBehind returns followers with an end, and New where a follower of everywhere is missing", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		replay := change.Follower{School: w.id, Name: "replay", Position: 3, Until: 7}
		w.save(replay, change.Follower{Name: "one"})
		missing := change.Follower{School: w.id, Name: "missing", Position: change.New}
		is.Equal(w.followersDue(nil, []string{"one", "missing"}), []change.Follower{missing, replay})
	})

	t.Run("Move returns false if the follower has another position or does not exist", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		f := change.Follower{School: w.id, Name: "one", Position: 3, Until: 9}
		w.save(f)
		is.True(w.move(f, 5))
		is.True(!w.move(f, 6))
		f.Position = 5
		is.Equal(w.followersDue(nil, nil), []change.Follower{f})
		f.Name = "unknown"
		is.True(!w.move(f, 6))
	})

	t.Run("AddIfAbsent keeps a follower, Add replaces it and Delete deletes it", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		f := change.Follower{School: w.id, Name: "one", Position: 3, Until: 9}
		next := change.Follower{School: w.id, Name: "one", Position: 1, Until: 4}
		add := func(f change.Follower) {
			w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Followers.AddIfAbsent(ctx, f) })
		}
		add(f)
		add(next)
		is.Equal(w.followersDue(nil, nil), []change.Follower{f})
		w.save(next)
		is.Equal(w.followersDue(nil, nil), []change.Follower{next})
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Followers.Delete(ctx, "one") })
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Followers.Delete(ctx, "one") })
		is.Equal(len(w.followersDue(nil, nil)), 0)
	})
}

// followerMethods contains the methods of ports.FollowerRepo.
var followerMethods = []portMethod{
	{port: "Followers", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Followers.Add(ctx, theirs.follower)
	}},
	{port: "Followers", method: "Delete", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Followers.Delete(ctx, theirs.follower.Name)
	}},
	{port: "Followers", method: "AddIfAbsent", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, _ fixture) (any, error) {
		return nil, tx.Followers.AddIfAbsent(ctx, ours.follower)
	}},
	{port: "Followers", method: "Move", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		moved, err := tx.Followers.Move(ctx, theirs.follower, 9)
		if moved {
			return moved, err
		}
		return nil, err
	}},
}
