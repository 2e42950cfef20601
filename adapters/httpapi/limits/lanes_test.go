package limits_test

import (
	"testing"
	"testing/synctest"

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
			return l.EnterPages(t.Context(), limiter.Origin{School: [16]byte{byte(school), byte(school >> 8)}, Key: [16]byte{network}})
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
