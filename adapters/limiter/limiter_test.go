package limiter_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

func origin(school, key byte) limiter.Origin {
	return limiter.Origin{School: [16]byte{school}, Key: [16]byte{key}}
}

// line records the order in which operations of a Limiter start.
type line struct {
	*limiter.Limiter
	wg    sync.WaitGroup
	mu    sync.Mutex
	order string
	errs  map[string]error
}

func newLine(cfg limiter.Config) *line {
	return &line{Limiter: limiter.New(cfg), errs: map[string]error{}}
}

// run starts an operation that runs for the given time when it gets a slot.
func (l *line) run(ctx context.Context, name string, o limiter.Origin, takes time.Duration) {
	l.wg.Go(func() {
		slot, err := l.Acquire(ctx, o)
		defer slot.Release()
		l.mu.Lock()
		if err != nil {
			l.errs[name] = err
			l.mu.Unlock()
			return
		}
		l.order += name
		l.mu.Unlock()
		time.Sleep(takes)
	})
	synctest.Wait() // so that operations arrive in the order of the calls of run
}

// served returns the names of the operations in the order in which they got a slot.
func (l *line) served() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.order
}

// failed returns the errors of the operations without a slot, by name.
func (l *line) failed() map[string]error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.errs)
}

func (l *line) ended(t *testing.T) {
	t.Helper()
	is := is.New(t)
	l.wg.Wait()
	s := l.Stats()
	is.Equal(s.Running, 0)
	is.Equal(s.Waiting, 0)
}

// A school gets a slot at once while another school has hundreds of waiting operations.
func TestFloodLeavesASlotFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 8, Waiting: 1000, Wait: time.Minute})
		for range 400 {
			l.run(t.Context(), ".", origin(1, 1), time.Second)
		}
		is.Equal(l.Stats().Running, 6)
		begin := time.Now()
		slot, err := l.Acquire(t.Context(), origin(2, 1))
		is.NoErr(err)
		is.Equal(time.Since(begin), time.Duration(0))
		slot.Release()
		l.wg.Wait()
	})
}

// A school gets PerSchool slots while no other school is active. It gets Shared slots while another
// school is active, and for five minutes after that.
func TestSharedSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 8, PerSchool: 6, Shared: 2, Waiting: 100, Wait: time.Hour})
		flood := func() {
			for range 8 {
				l.run(t.Context(), ".", origin(1, 1), time.Second)
			}
		}
		flood()
		is.Equal(l.Stats().Running, 6)
		l.wg.Wait()
		l.run(t.Context(), "x", origin(2, 1), 0)
		flood()
		is.Equal(l.Stats().Running, 2)
		l.wg.Wait()
		time.Sleep(4 * time.Minute)
		flood()
		is.Equal(l.Stats().Running, 2) // one request every few minutes keeps the other school active
		l.wg.Wait()
		time.Sleep(time.Minute) // more than five minutes after the last operation of the other school
		l.run(t.Context(), "s", origin(0, 0), 0)
		flood()
		is.Equal(l.Stats().Running, 6)
		l.ended(t)
	})
}

// A school stays active while its operations run, however long they take. Slots therefore stay free
// for schools that hold none, even if no other school was active when the operations started.
func TestLongOperationsLeaveSlotsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 128, Shared: 8, Waiting: 1000, Wait: time.Second})
		fill := func(school byte, want int) {
			before := l.Stats().Running
			for range 128 {
				l.run(t.Context(), ".", origin(school, 1), 10*time.Hour)
			}
			is.Equal(l.Stats().Running-before, want)
			time.Sleep(6 * time.Minute) // no operation starts
		}
		fill(1, 96)
		fill(2, 8)
		fill(3, 8)
		for other := range byte(16) {
			fill(4+other, 1)
		}
		is.Equal(l.Stats().Running, 128)
		l.ended(t)
	})
}

// A slot that becomes free goes to a waiting school that already holds slots only if the reserved
// slots stay free.
func TestReservedSlotsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 8, PerSchool: 4, Waiting: 100, Wait: time.Hour})
		l.run(t.Context(), "a", origin(1, 1), time.Second)
		for range 4 {
			l.run(t.Context(), "b", origin(2, 1), time.Minute)
			l.run(t.Context(), "c", origin(3, 1), time.Minute)
		}
		is.Equal(l.served(), "abcbcb") // two slots are free
		time.Sleep(2 * time.Second)
		synctest.Wait()
		is.Equal(l.served(), "abcbcbc")
		l.run(t.Context(), "x", origin(4, 1), 0)
		is.Equal(l.served(), "abcbcbcx")
		l.ended(t)
	})
}

// While several schools are active, at least Reserved slots go only to schools that hold none.
func TestReservedSlotsOfSeveralSchools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 12, PerSchool: 12, Shared: 5, Reserved: 4, Waiting: 100, Wait: time.Hour})
		for range 8 {
			l.run(t.Context(), "a", origin(1, 1), time.Minute)
		}
		is.Equal(l.served(), "aaaaaaaa") // no other school is active
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		for _, school := range []string{"b", "c", "d", "e", "f"} {
			for range 6 {
				l.run(t.Context(), school, origin(school[0], 1), time.Minute)
			}
		}
		is.Equal(l.served(), "aaaaaaaa"+"bbbbb"+"ccc"+"def")
		l.ended(t)
	})
}

func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 1, Waiting: 6, Wait: 2 * time.Second})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		l.run(t.Context(), "a", origin(1, 1), 10*time.Second)
		l.run(t.Context(), "b", origin(1, 1), 0)
		l.run(ctx, "c", origin(1, 1), 0)
		begin := time.Now()
		l.run(t.Context(), "d", origin(1, 1), 0) // one key may fill three quarters of half of the queue
		l.run(t.Context(), "e", origin(2, 1), 0)
		is.Equal(l.failed(), map[string]error{"d": limiter.ErrFull})
		is.Equal(l.Stats(), limiter.Stats{Running: 1, Waiting: 3, Full: 1})
		cancel()
		synctest.Wait()
		is.Equal(l.failed()["c"], context.Canceled)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		is.Equal(l.failed()["b"], limiter.ErrTimeout)
		is.Equal(l.failed()["e"], limiter.ErrTimeout)
		is.Equal(time.Since(begin), 2*time.Second)
		l.ended(t)
		is.Equal(l.served(), "a")
		is.Equal(l.Stats(), limiter.Stats{Timeouts: 2, Full: 1})

		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		_, err := l.Acquire(ctx, origin(1, 1))
		is.Equal(err, context.Canceled) // even while slots are free
	})
}

func TestReleaseTwice(t *testing.T) {
	is := is.New(t)
	l := limiter.New(limiter.Config{Slots: 2, PerSchool: 2})
	slot, err := l.Acquire(t.Context(), origin(1, 1))
	is.NoErr(err)
	other, err := l.Acquire(t.Context(), origin(1, 1))
	is.NoErr(err)
	slot.Release()
	slot.Release()
	is.Equal(l.Stats().Running, 1)
	other.Release()
	var none *limiter.Slot
	none.Release()
	is.Equal(l.Stats().Running, 0)
}

// Under any concurrency at most Slots operations run, and every operation runs or is rejected.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.New(limiter.Config{Slots: 5, PerSchool: 3, Waiting: 60, Wait: 50 * time.Millisecond})
		var mu sync.Mutex
		var all, most, ran, refused int
		running := map[byte]int{}
		var wg sync.WaitGroup
		for i := range 500 {
			school := byte(i % 7)
			wg.Go(func() {
				time.Sleep(time.Duration(i%23) * 7 * time.Millisecond)
				slot, err := l.Acquire(t.Context(), origin(school, byte(i%3)))
				if err != nil {
					is.True(errors.Is(err, limiter.ErrFull) || errors.Is(err, limiter.ErrTimeout))
					mu.Lock()
					refused++
					mu.Unlock()
					return
				}
				mu.Lock()
				all, ran = all+1, ran+1
				running[school]++
				most = max(most, all)
				is.True(running[school] <= 3)
				mu.Unlock()
				time.Sleep(time.Duration(1+i%5) * 10 * time.Millisecond)
				mu.Lock()
				all--
				running[school]--
				mu.Unlock()
				slot.Release()
			})
		}
		wg.Wait()
		is.Equal(most, 5)
		is.Equal(ran+refused, 500)
		s := l.Stats()
		is.Equal(s.Running, 0)
		is.Equal(s.Waiting, 0)
		is.Equal(s.Timeouts+s.Full, int64(refused))
	})
}

// A school that has only passive operations is not active for others, but its operations leave slots
// to schools that are active.
func TestPassiveOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limiter.New(limiter.Config{Slots: 4, Shared: 1, Wait: time.Second, Waiting: 9, Neighbors: new(limiter.Neighbors)})
		passive := origin(1, 1)
		passive.Passive = true
		begin := func(o limiter.Origin) *limiter.Slot {
			t.Helper()
			slot, err := l.Acquire(t.Context(), o)
			is.NoErr(err)
			return slot
		}
		begin(passive).Release()
		first := begin(origin(2, 1))
		begin(origin(2, 1)).Release() // the only active school has all slots
		first.Release()

		begin(passive)
		_, err := l.Acquire(t.Context(), passive)
		is.Equal(err, limiter.ErrTimeout) // next to an active school
	})
}
