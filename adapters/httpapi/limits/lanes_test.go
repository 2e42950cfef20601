package limits_test

import (
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

// A key whose requests hold their slots for long, for example while they wait for locks, leaves a
// slot to other keys of its school.
func TestCheapRequestsOfOneKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		l := limits.NewLanes(limits.Admission{}.WithDefaults(), new(limiter.Neighbors))
		enter := func(school, key byte, slots int) (*limiter.Slot, error) {
			return l.EnterClass(t.Context(), limits.Cheap, limiter.Origin{School: [16]byte{school}, Key: [16]byte{key}}, slots)
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
