package follow_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/app"
	"lyceum/app/follow"
	"lyceum/domain/change"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world contains schools with followers of the name "test", and with some of its form "test/…", whose
// steps it records.
type world struct {
	*testing.T
	*app.App
	store  ports.Store
	names  map[school.ID]string
	mu     sync.Mutex // guards steps
	steps  []string   // school, follower and number of changes
	failed string     // follower that fails
	full   string     // follower whose handler takes no page
	clock  *fake.Clock
}

func newWorld(t *testing.T, b stores.Backend) *world {
	w := &world{T: t, store: b.Store, names: map[school.ID]string{}, clock: fake.NewClock(fake.Start)}
	w.App = app.New(b.Store, b.Schools, b.Queue, files.NewMemory(), fake.NewInvitationSender(), w.clock, fake.NewIDs())
	w.Followers.Handle("test", func(_ context.Context, f change.Follower, page []change.Change) (func(context.Context, ports.Tx) error, error) {
		step := fmt.Sprintf("%s %s %d", w.names[f.School], f.Name, len(page))
		if f.Name == w.full {
			return nil, follow.ErrFull
		}
		return func(context.Context, ports.Tx) error {
			if f.Name == w.failed {
				return fmt.Errorf("%s fails", f.Name)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			w.steps = append(w.steps, step)
			return nil
		}, nil
	})
	return w
}

// school adds a school with some changes, a follower, which it returns, and followers that end after
// these changes.
func (w *world) school(name string, changes int, ending ...string) change.Follower {
	w.Helper()
	is, ctx := is.New(w.T), w.Context()
	id, _, err := kit.School{Name: name}.Import(ctx, w.App)
	is.NoErr(err)
	w.names[id] = name
	before, err := w.store.Read(id).Changes.Feed(ctx)
	is.NoErr(err)
	for i := range changes {
		_, err := w.Categories.Create(ctx, app.SystemActor(id), fmt.Sprintf("Category %d", i))
		is.NoErr(err)
	}
	after, err := w.store.Read(id).Changes.Feed(ctx)
	is.NoErr(err)
	follower := change.Follower{School: id, Name: "test", Position: before.End}
	is.NoErr(w.store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		for _, name := range ending {
			f := change.Follower{School: id, Name: name, Position: before.End, Until: after.End}
			if err := tx.Followers.Add(ctx, f); err != nil {
				return err
			}
		}
		return tx.Followers.Add(ctx, follower)
	}))
	return follower
}

// next calls Followers.Next and returns the steps.
func (w *world) next() (steps []string, more bool, err error) {
	w.mu.Lock()
	w.steps = nil
	w.mu.Unlock()
	more, err = w.Followers.Next(w.Context())
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.steps, more, err
}

// Followers with an end take turns within their school, after the others. A failed one keeps its turn
// from no other.
func TestFollowersWithAnEndTakeTurns(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is, w := is.New(t), newWorld(t, open(t))
		w.school("Many", 130, "test/1", "test/2", "test/3")
		w.school("One", 1, "test/1")
		w.failed = "test/2"
		for round, want := range []map[string]bool{
			{"Many test 100": true, "One test 1": true, "Many test/1 100": true, "One test/1 1": true},
			{"Many test 30": true}, // test/2 fails
			{"Many test/3 100": true},
			{"Many test/1 30": true},
			{},
			{"Many test/3 30": true},
			{},
		} {
			steps, more, err := w.next()
			is.Equal(len(steps), len(want))
			for i, s := range steps {
				is.True(want[s])
				is.True(i == 0 || !strings.Contains(steps[i-1], "/") || strings.Contains(s, "/")) // those with an end come last
			}
			is.True(more || err != nil)
			is.Equal(err != nil, round == 1 || round == 4 || round == 6)
		}
		w.failed = ""
		for _, want := range []int{100, 30, 0} {
			steps, more, err := w.next()
			is.NoErr(err)
			is.Equal(more, want > 0)
			if want > 0 {
				is.Equal(steps, []string{fmt.Sprintf("Many test/2 %d", want)})
			}
		}
	})
}

// A follower whose handler takes no page does not delay the others of its school, and is asked once per
// second.
func TestFullFollowerDoesNotDelayOthers(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is, w := is.New(t), newWorld(t, open(t))
		w.school("Many", 210, "test/1", "test/2")
		next := func(want ...string) (more bool) {
			t.Helper()
			steps, more, err := w.next()
			is.NoErr(err)
			is.Equal(strings.Join(steps, ", "), strings.Join(want, ", "))
			return more
		}
		w.full = "test/1"
		is.True(next("Many test 100")) // test/1 is full
		is.True(next("Many test 100", "Many test/2 100"))
		is.True(next("Many test 10", "Many test/2 100"))
		is.True(next("Many test/2 10"))
		is.True(!next())
		w.clock.Advance(time.Second)
		is.True(!next()) // test/1 is still full
		w.full = ""
		is.True(!next())
		w.clock.Advance(time.Second)
		is.True(next("Many test/1 100"))
	})
}

// A transaction that holds the lock of a follower for long does not delay other schools: the followers
// of its school come last in the next call.
func TestLockedFollowerDoesNotDelayOtherSchools(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is, w := is.New(t), newWorld(t, open(t))
		schools := []change.Follower{w.school("A", 101, "test/1"), w.school("B", 101, "test/1")}
		// The store orders the followers by school.
		slices.SortFunc(schools, func(a, b change.Follower) int { return strings.Compare(a.School.String(), b.School.String()) })
		locked, free := schools[0], w.names[schools[1].School]
		holds, release, ended := make(chan bool, 1), make(chan struct{}), make(chan error, 1)
		go func() {
			ended <- w.store.InTx(context.WithoutCancel(t.Context()), locked.School, func(ctx context.Context, tx ports.Tx) error {
				// Postgres locks the row of the follower, the memory store the whole school.
				held, err := tx.Followers.Move(ctx, locked, locked.Position)
				holds <- held
				select {
				case <-release:
				case <-time.After(20 * time.Second):
				}
				return err
			})
		}()
		is.True(<-holds)
		steps, more, err := w.next()
		close(release)
		is.NoErr(err)
		is.True(more)
		is.True(slices.Contains(steps, free+" test 100"))
		is.True(!slices.Contains(steps, w.names[locked.School]+" test 100"))
		is.NoErr(<-ended)
		steps, _, err = w.next()
		is.NoErr(err)
		is.Equal(steps[:2], []string{free + " test 1", free + " test/1 1"})
		is.Equal(steps[2], w.names[locked.School]+" test 100")
	})
}
