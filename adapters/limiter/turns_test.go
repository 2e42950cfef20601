package limiter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

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

// rivals contains origins that share slots: one with long and one with short operations.
var rivals = []struct {
	name        string
	long, short limiter.Origin
}{
	{"of two schools", origin(1, 1), origin(2, 1)},
	{"of two keys", origin(1, 1), origin(1, 2)},
}

// Schools and keys share slots by time: between two long operations of one, all short operations of
// another run.
func TestLongAndShortOperations(t *testing.T) {
	for _, tt := range rivals {
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
	for _, tt := range rivals {
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

// With SpareKey, the last slot of a school is for keys that hold none.
func TestSpareKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 8, PerSchool: 4, Waiting: 16, Wait: time.Hour, SpareKey: true})
		for _, name := range []string{"a", "b", "c"} {
			l.run(t.Context(), name, origin(1, 1), time.Minute)
		}
		l.run(t.Context(), "d", origin(1, 1), 0) // waits
		l.run(t.Context(), "x", origin(1, 2), time.Second)
		is.Equal(l.served(), "abcx")
		l.run(t.Context(), "y", origin(1, 2), 0) // waits until x has ended
		time.Sleep(2 * time.Second)
		synctest.Wait()
		is.Equal(l.served(), "abcxy")
		l.ended(t)
		is.Equal(l.served(), "abcxyd")
	})
}

// Operations of a key that wait because of its limit do not keep others of their school from starting.
func TestLimitedKeyIsOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := newLine(limiter.Config{Slots: 8, PerSchool: 4, Waiting: 16, Wait: time.Hour, LimitKeys: true})
		for i, name := range []string{"a", "b", "c", "d"} {
			l.run(t.Context(), name, origin(1, 1), time.Second+time.Duration(i)*time.Millisecond)
		}
		l.run(t.Context(), "x", origin(1, 2), 2*time.Second)
		l.run(t.Context(), "y", origin(1, 2), time.Second) // the school is full
		is.Equal(l.served(), "abcx")
		l.ended(t)
		is.Equal(l.served(), "abcxyd")
	})
}
