package limiter_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
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

func TestTurns(t *testing.T) {
	type arrival struct {
		name        string
		school, key byte
	}
	for _, tt := range []struct {
		name      string
		slots     int
		perSchool int
		arrivals  []arrival
		want      string
	}{
		{
			"the order of arrival in one queue", 1, 1,
			[]arrival{{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}},
			"abc",
		},
		{
			"schools take turns", 1, 1,
			[]arrival{{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}, {"d", 1, 1}, {"x", 2, 1}, {"y", 2, 1}, {"p", 3, 1}},
			"axpbycd",
		},
		{
			"keys of a school take turns", 1, 1,
			[]arrival{{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}, {"x", 1, 2}, {"y", 1, 2}},
			"axbyc",
		},
		{
			"a school with many keys has one turn", 1, 1,
			[]arrival{{"a", 1, 1}, {"b", 1, 2}, {"c", 1, 3}, {"d", 1, 4}, {"x", 2, 1}, {"y", 2, 1}},
			"axbycd",
		},
		{
			"the school with fewer running goes first", 3, 3,
			[]arrival{{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}, {"d", 1, 1}, {"x", 2, 1}, {"y", 2, 1}, {"z", 2, 1}},
			"abcxydz",
		},
		{
			"a school leaves a slot to others", 3, 2,
			[]arrival{{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}, {"d", 1, 1}, {"x", 2, 1}, {"y", 2, 1}},
			"abxcyd",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				l := newLine(limiter.Config{Slots: tt.slots, PerSchool: tt.perSchool, Waiting: 100, Wait: time.Hour})
				for i, a := range tt.arrivals {
					// Each operation takes a different time, so that no two end at the same time.
					l.run(t.Context(), a.name, origin(a.school, a.key), time.Second+time.Duration(i)*time.Millisecond)
				}
				l.ended(t)
				is.Equal(l.served(), tt.want)
			})
		})
	}
}

// Schools and keys share slots by time: between two long operations of one, all short operations of
// another run.
func TestLongAndShortOperations(t *testing.T) {
	for _, tt := range []struct {
		name        string
		long, short limiter.Origin
	}{
		{"of two schools", origin(1, 1), origin(2, 1)},
		{"of two keys", origin(1, 1), origin(1, 2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				l := newLine(limiter.Config{Slots: 1, Waiting: 100, Wait: 4 * time.Second})
				for range 3 {
					l.run(t.Context(), "L", tt.long, time.Second)
				}
				for range 5 {
					l.run(t.Context(), "s", tt.short, 100*time.Millisecond)
				}
				time.Sleep(2 * time.Second) // in the second long operation
				for range 5 {
					l.run(t.Context(), "s", tt.short, 100*time.Millisecond)
				}
				l.ended(t)
				is.Equal(l.served(), "LsssssLsssssL")
				is.Equal(len(l.failed()), 0)
			})
		})
	}
}

// A client that waits for each of its long operations gets no turn after each short operation of
// another school or key: all that have arrived in the meantime run first.
func TestUsedTimeIsKept(t *testing.T) {
	for _, tt := range []struct {
		name        string
		long, short limiter.Origin
	}{
		{"of a school", origin(1, 1), origin(2, 1)},
		{"of a key", origin(1, 1), origin(1, 2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				l := newLine(limiter.Config{Slots: 1, Waiting: 512, Wait: 1500 * time.Millisecond})
				ended := time.Now().Add(20 * time.Second)
				l.wg.Go(func() {
					for time.Now().Before(ended) {
						slot, err := l.Acquire(t.Context(), tt.long)
						is.NoErr(err)
						time.Sleep(300 * time.Millisecond)
						slot.Release()
						time.Sleep(time.Millisecond)
					}
				})
				for i := range 2000 {
					l.run(t.Context(), fmt.Sprint(i, " "), tt.short, 2*time.Millisecond)
					time.Sleep(10 * time.Millisecond)
				}
				l.ended(t)
				is.Equal(len(l.failed()), 0)
			})
		})
	}
}

// Operations of other keys overtake one whose slots are not free, but only for half of the maximum
// wait, so that it runs although small operations keep arriving. They start as soon as it gives up.
func TestOvertaking(t *testing.T) {
	for _, tt := range []struct {
		name   string
		gives  time.Duration // when the large operation gives up
		most   time.Duration // maximum wait of a small operation
		starts bool          // whether the large operation starts
	}{
		{"it gives up soon", 20 * time.Millisecond, 0, false},
		{"it gives up later", 1200 * time.Millisecond, 450 * time.Millisecond, false},
		{"it waits", time.Minute, 500 * time.Millisecond, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				l := newLine(limiter.Config{Slots: 8, PerSchool: 3, Waiting: 512, Wait: 1500 * time.Millisecond})
				l.run(t.Context(), "a", origin(1, 1), 1250*time.Millisecond)
				l.wg.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), tt.gives)
					defer cancel()
					slot, err := l.AcquireN(ctx, origin(1, 2), 3)
					is.Equal(err == nil, tt.starts)
					slot.Release()
				})
				synctest.Wait()
				for range 150 {
					l.wg.Go(func() {
						begin := time.Now()
						slot, err := l.Acquire(t.Context(), origin(1, 3))
						is.NoErr(err)
						is.True(time.Since(begin) <= tt.most)
						time.Sleep(2 * time.Millisecond)
						slot.Release()
					})
					time.Sleep(10 * time.Millisecond)
				}
				l.ended(t)
			})
		})
	}
}

// While an operation of a key waits for another of the same key, those of other keys start.
func TestFullKeyIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 8, PerSchool: 4, Waiting: 16, Wait: time.Hour, LimitKeys: true})
		l.run(t.Context(), "a", origin(1, 1), time.Hour/2)
		l.run(t.Context(), "x", origin(1, 2), time.Second)
		l.run(t.Context(), "y", origin(1, 2), time.Minute)
		l.wg.Go(func() {
			slot, err := l.AcquireN(t.Context(), origin(1, 1), 3)
			is.NoErr(err)
			slot.Release()
		})
		synctest.Wait()
		l.run(t.Context(), "p", origin(1, 3), time.Minute) // takes the last slot of the school
		l.run(t.Context(), "z", origin(1, 2), 0)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		is.Equal(l.served(), "axypz") // the key of a and the key of z hold one slot each
		l.ended(t)
	})
}

// An operation that takes very long does not cost its school more turns than other schools take in
// half of the maximum wait.
func TestUsedTimeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 1, Waiting: 100, Wait: 4 * time.Second})
		l.run(t.Context(), "a", origin(1, 1), time.Hour)
		time.Sleep(time.Hour - time.Second)
		l.run(t.Context(), "b", origin(1, 1), 100*time.Millisecond)
		for range 6 {
			l.run(t.Context(), "x", origin(2, 1), 450*time.Millisecond)
		}
		l.ended(t)
		is.Equal(l.served(), "axxxxxbx") // an hour counts as two seconds
		is.Equal(len(l.failed()), 0)
	})
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

// While one key of a school sends more operations than may run and wait, operations of another key
// start at once if LimitKeys is set, and otherwise still find a place in the queue.
func TestFloodOfOneKey(t *testing.T) {
	for _, tt := range []struct {
		name      string
		limitKeys bool
		running   int // of the first key
		atOnce    bool
	}{
		{"limited", true, 6, true},
		{"not limited", false, 8, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				l := newLine(limiter.Config{Slots: 16, PerSchool: 8, Waiting: 16, Wait: time.Hour, LimitKeys: tt.limitKeys})
				for range 30 {
					l.run(t.Context(), ".", origin(1, 1), time.Minute)
				}
				is.Equal(l.Stats().Running, tt.running)
				is.Equal(l.Stats().Waiting, 6) // eight of one school may wait
				l.run(t.Context(), "x", origin(1, 2), time.Second)
				is.Equal(l.Stats().Running, tt.running+map[bool]int{true: 1}[tt.atOnce])
				l.ended(t)
				is.True(strings.Contains(l.served(), "x"))
			})
		})
	}
}

// Operations of a key that wait because of its limit do not keep others of their school from starting.
func TestLimitedKeyIsOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 8, PerSchool: 4, Waiting: 16, Wait: time.Hour, LimitKeys: true})
		for i, name := range []string{"a", "b", "c", "d"} {
			l.run(t.Context(), name, origin(1, 1), time.Second+time.Duration(i)*time.Millisecond)
		}
		l.run(t.Context(), "x", origin(1, 2), time.Second)
		l.run(t.Context(), "y", origin(1, 2), time.Second) // the school is full
		is.Equal(l.served(), "abcx")
		l.ended(t)
		is.Equal(l.served(), "abcxyd")
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
