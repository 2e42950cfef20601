package limits

import (
	"context"

	"lyceum/adapters/limiter"
)

// Class is the admission class of a request. Requests of one class have about the same cost. Each
// class has its own slots.
type Class int

// The admission classes.
const (
	Cheap     Class = iota
	Expensive       // a search, or a bulk request
	Large           // a response with very many records
	Long            // a change of very many records
	Export          // an export of a whole school
	Upload          // the submission of a file
)

// EnterClass waits for n slots of a class for o. If they are not free in time, it returns
// Unavailable.
func (l Lanes) EnterClass(ctx context.Context, c Class, o limiter.Origin, n int) (*limiter.Slot, error) {
	if !c.isHeavy() {
		return l.EnterN(ctx, l.of(c), o, n, TooManyRequests)
	}
	// The slot of the class comes last, because other schools wait for it too.
	heavy, err := l.Enter(ctx, l.Heavy, o, TooManyRequests)
	if err != nil {
		return nil, err
	}
	slot, err := l.EnterN(ctx, l.of(c), o, n, TooManyRequests)
	if err != nil {
		heavy.Release()
		return nil, err
	}
	return slot.With(heavy), nil
}

// isHeavy reports whether a request of the class can use a processor, of the server or of the
// database, for a tenth of a second or more.
func (c Class) isHeavy() bool { return c == Expensive || c == Large || c == Long }

// of returns the limiter of a class.
func (l Lanes) of(c Class) *limiter.Limiter {
	switch c {
	case Expensive:
		return l.Expensive
	case Large:
		return l.Large
	case Long:
		return l.Long
	case Export:
		return l.Exports
	case Upload:
		return l.Uploads
	}
	return l.Cheap
}
