package limits_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
)

// A network that requests pages of many schools leaves slots to other networks.
func TestPagesOfOneNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		a := limits.Admission{Slots: 1000}.WithDefaults()
		l := limits.NewLanes(a, new(limiter.Neighbors))
		enter := func(school int, network byte) (*limiter.Slot, error) {
			return l.EnterPages(t.Context(), l.Pages, limiter.Origin{School: [16]byte{byte(school), byte(school >> 8)}, Key: [16]byte{network}})
		}
		var held []*limiter.Slot
		for i := range 500 { // half of the slots
			slot, err := enter(i, 1)
			is.NoErr(err)
			held = append(held, slot)
		}
		_, err := enter(500, 1)
		is.True(fault.Is(err, fault.Unavailable))
		slot, err := enter(500, 2)
		is.NoErr(err)
		for _, s := range append(held, slot) {
			s.Release()
		}
		is.Equal(l.Pages.Stats().Running, 0)
		is.Equal(l.PageClients.Stats().Running, 0)
		is.Equal(l.Pages.Stats().Waiting, 0)
	})
}

// Slow pages of one school leave slots of a network to the pages of other schools.
func TestPagesOfTwoSchoolsFromOneNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limits.NewLanes(limits.Admission{}.WithDefaults(), new(limiter.Neighbors))
		enter := func(school byte) (*limiter.Slot, error) {
			return l.EnterPages(t.Context(), l.Pages, limiter.Origin{School: [16]byte{school}, Key: [16]byte{1}})
		}
		var wg sync.WaitGroup
		for range 50 { // those that hold no slot fail
			wg.Go(func() {
				if slot, err := enter(1); err == nil {
					time.Sleep(time.Minute)
					slot.Release()
				}
			})
		}
		synctest.Wait()
		begin := time.Now()
		slot, err := enter(2)
		is.NoErr(err)
		is.Equal(time.Since(begin), time.Duration(0))
		slot.Release()
		wg.Wait()
	})
}

// client returns the client of a request with an API key.
func client(school, key byte) limits.Client {
	return limits.Client{Origin: limiter.Origin{School: [16]byte{school}, Key: [16]byte{key}}}
}

// However many learners and visitors send requests next to long changes of other keys, a key of their
// school has a slot for cheap requests. In memory it may wait for one of them.
func TestPeopleLeaveASlotToKeys(t *testing.T) {
	const took = 500 * time.Millisecond
	classes := []limits.Class{limits.Cheap, limits.Expensive, limits.Large, limits.Long}
	for name, tt := range map[string]struct {
		inMemory bool
		wait     time.Duration
	}{"database": {false, 0}, "memory": {true, took}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				l := limits.NewLanes(limits.Admission{InMemory: tt.inMemory}.WithDefaults(), new(limiter.Neighbors))
				neighbor, err := l.EnterSchool(t.Context(), nil, client(2, 1))
				is.NoErr(err)
				neighbor.Release()
				var wg sync.WaitGroup
				for i := range byte(120) { // requests of learners, pages, and requests of other keys
					wg.Go(func() {
						from, class := client(1, 10+i), classes[i/4%4]
						from.Yields = i%4 != 0
						var slot *limiter.Slot
						var err error
						if i%4 == 1 {
							slot, err = l.EnterSchool(t.Context(), nil, from)
						} else if from.Yields || class != limits.Cheap {
							slot, err = l.EnterClass(t.Context(), class, from, 1)
						}
						if err == nil {
							time.Sleep(took)
						}
						slot.Release()
					})
				}
				synctest.Wait()
				for range 3 {
					begin := time.Now()
					slot, err := l.EnterClass(t.Context(), limits.Cheap, client(1, 1), 1)
					is.NoErr(err)
					is.True(time.Since(begin) <= tt.wait)
					slot.Release()
				}
				wg.Wait()
				for name, lane := range l.Named() {
					if lane.Stats().Running != 0 {
						t.Errorf("%s has running operations", name)
					}
				}
			})
		})
	}
}

// A school that is alone leaves connections to the database to cheap requests with a key.
func TestPeopleLeaveConnectionsToKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limits.NewLanes(limits.Admission{Slots: 48, Connections: 12}.WithDefaults(), new(limiter.Neighbors))
		var wg sync.WaitGroup
		for i := range byte(40) {
			wg.Go(func() {
				learner := client(1, 10+i)
				learner.Yields = true
				slot, err := l.EnterClass(t.Context(), limits.Cheap, learner, 1)
				if err == nil {
					time.Sleep(time.Minute)
				}
				slot.Release()
			})
		}
		synctest.Wait()
		is.Equal(l.Cheap.Stats().Running, 8)
		begin := time.Now()
		slot, err := l.EnterClass(t.Context(), limits.Cheap, client(1, 1), 1)
		is.NoErr(err)
		is.Equal(time.Since(begin), time.Duration(0))
		slot.Release()
		wg.Wait()
	})
}

// A key whose requests hold their slots for long, for example while they wait for locks, leaves a
// slot to other keys of its school.
func TestCheapRequestsOfOneKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limits.NewLanes(limits.Admission{}.WithDefaults(), new(limiter.Neighbors))
		enter := func(school, key byte, slots int) (*limiter.Slot, error) {
			return l.EnterClass(t.Context(), limits.Cheap, client(school, key), slots)
		}
		neighbor, err := enter(2, 1, 1)
		is.NoErr(err)
		neighbor.Release()
		for _, slots := range []int{1, 100} { // small requests, and large ones that take several slots
			var held []*limiter.Slot
			for err == nil {
				var slot *limiter.Slot
				slot, err = enter(1, 1, slots)
				held = append(held, slot)
			}
			is.True(fault.Is(err, fault.Unavailable))
			begin := time.Now()
			other, errOther := enter(1, 2, 1)
			is.NoErr(errOther)
			is.Equal(time.Since(begin), time.Duration(0))
			other.Release()
			for _, s := range held {
				s.Release()
			}
			err = nil
		}
	})
}

// Cheap requests that wait for slow requests of their school hold no slots of their class, so that its
// keys take turns: another key waits only for the requests that run.
func TestCheapRequestsWaitForTheirSchoolFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limits.NewLanes(limits.Admission{InMemory: true}.WithDefaults(), new(limiter.Neighbors))
		enter := func(school, key byte) (*limiter.Slot, error) {
			return l.EnterClass(t.Context(), limits.Cheap, client(school, key), 1)
		}
		neighbor, err := enter(2, 1)
		is.NoErr(err)
		neighbor.Release()
		var slow []*limiter.Slot
		for key := byte(10); ; key++ { // as many requests as the school can have at a time
			slot, err := l.EnterSchool(t.Context(), nil, client(1, key))
			if err != nil {
				break
			}
			slow = append(slow, slot)
		}
		var waiting sync.WaitGroup
		begun := make(chan byte, 31)
		begin := func(key byte) {
			waiting.Go(func() {
				slot, err := enter(1, key)
				is.NoErr(err)
				begun <- key
				time.Sleep(100 * time.Millisecond)
				slot.Release()
			})
			synctest.Wait()
		}
		for i := range byte(8) {
			begin(i % 4)
		}
		begin(9)
		is.Equal(l.Cheap.Stats().Running, 0)
		for _, s := range slow {
			s.Release()
		}
		for range 4 + 1 { // one of each key
			if <-begun == 9 {
				break
			}
		}
		is.Equal(l.Cheap.Stats().Running > 0, true)
		waiting.Wait()
		is.Equal(l.Schools.Stats().Running, 0)
		is.True(len(begun) >= 4) // the other key did not wait for all requests of the others
	})
}
