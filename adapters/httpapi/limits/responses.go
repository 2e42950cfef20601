package limits

import (
	"context"
	"errors"

	"lyceum/adapters/limiter"
	"lyceum/domain/fault"
)

// newResponses returns the limiter for large responses in memory. A response takes one slot for
// each responseSlot bytes, rounded up.
func newResponses(a Admission, neighbors *limiter.Neighbors) *limiter.Limiter {
	slots := a.Responses / responseSlot
	return limiter.New(limiter.Config{
		Slots: slots, PerSchool: slots / 4, LimitKeys: true, Waiting: waitingResponses, Wait: a.Wait, Neighbors: neighbors,
	})
}

// The range of Admission.Responses without a setting.
const (
	minResponses = 64 << 20
	maxResponses = 256 << 20
)

// responseBytes returns the number of bytes of all large responses in memory, for a memory limit of
// the program in bytes (GOMEMLIMIT).
func responseBytes(memoryLimit int64) int {
	return int(min(max(memoryLimit/8, minResponses), maxResponses))
}

// EnterResponse waits for slots of o for a response of the given size in bytes. If they are not
// free in time, it returns Unavailable. The refusal is not delayed, because the response is in
// memory until then.
func (l Lanes) EnterResponse(ctx context.Context, o limiter.Origin, size int) (*limiter.Slot, error) {
	return enterBytes(ctx, l.Responses, o, size)
}

// EnterPage is like EnterResponse, but for a form or a page of the academy.
func (l Lanes) EnterPage(ctx context.Context, o limiter.Origin, size int) (*limiter.Slot, error) {
	return enterBytes(ctx, l.PageBytes, o, size)
}

func enterBytes(ctx context.Context, lane *limiter.Limiter, o limiter.Origin, size int) (*limiter.Slot, error) {
	slot, err := lane.AcquireN(ctx, o, (size+responseSlot-1)/responseSlot)
	if errors.Is(err, limiter.ErrFull) || errors.Is(err, limiter.ErrTimeout) {
		err = fault.Unavailablef("%s", TooManyRequests)
	}
	return slot, err
}
