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
	Provider        // waiting for an identity provider
)

// Client is the school and the API key, or the person, for whose requests slots are taken.
type Client struct {
	limiter.Origin
	Yields bool // whether its requests leave a slot to cheap requests with a key: true for people, and for uploads
}

// EnterClass waits for n slots of a class for a client, and for its slots in the limiters of all
// requests of a school. If they are not free in time, it returns Unavailable.
//
// No other school waits for a slot of Yielding, Heavy or Schools. A cheap request waits for Schools
// first: otherwise slow requests of a few keys would delay those that hold the slots of the class, and
// another key of the school would wait for them. Heavy requests are few; they hold at most their share
// of a class while they wait for Schools.
func (l Lanes) EnterClass(ctx context.Context, c Class, of Client, n int) (held *limiter.Slot, err error) {
	class := l.of(c)
	lanes := []*limiter.Limiter{class} // in the order in which the request waits
	switch {
	case c.isHeavy():
		lanes = []*limiter.Limiter{l.Heavy, class, l.Yielding, l.Schools}
	case c == Cheap && of.Yields:
		lanes = []*limiter.Limiter{l.Yielding, l.Schools, class}
	case c == Cheap:
		lanes = []*limiter.Limiter{l.Schools, class}
	}
	for _, lane := range lanes {
		size := 1
		if lane == class {
			size = n
		}
		if held, err = l.add(ctx, held, lane, of.Origin, size); err != nil {
			held.Release()
			return nil, err
		}
	}
	return held, nil
}

// EnterPages waits for a slot of lane, Pages or Links, for o, and for one of PageClients for its key,
// which is the network of the client. If they are not free in time, it returns Unavailable. In
// PageClients, schools share the slots of a network as keys share those of a school, so visitors of
// one school do not wait for slow pages of another school that are read from their network.
func (l Lanes) EnterPages(ctx context.Context, lane *limiter.Limiter, o limiter.Origin) (*limiter.Slot, error) {
	held, err := l.add(ctx, nil, l.PageClients, limiter.Origin{School: o.Key, Key: o.School}, 1)
	if err == nil {
		held, err = l.add(ctx, held, lane, o, 1)
	}
	if err != nil {
		held.Release()
		return nil, err
	}
	return held, nil
}

// EnterSchool adds a slot in the limiter of all requests of a school to held, and one of Yielding if the
// client yields. On an error it returns held.
func (l Lanes) EnterSchool(ctx context.Context, held *limiter.Slot, of Client) (*limiter.Slot, error) {
	if !of.Yields {
		return l.add(ctx, held, l.Schools, of.Origin, 1)
	}
	yielding, err := l.add(ctx, nil, l.Yielding, of.Origin, 1)
	if err != nil {
		return held, err
	}
	slot, err := l.add(ctx, yielding, l.Schools, of.Origin, 1)
	if err != nil {
		yielding.Release()
		return held, err
	}
	yielding.With(held)
	return slot, nil
}

// add waits for n slots of lane and adds them to held. On an error it returns held.
func (l Lanes) add(
	ctx context.Context, held *limiter.Slot, lane *limiter.Limiter, o limiter.Origin, n int,
) (*limiter.Slot, error) {
	slot, err := l.EnterN(ctx, lane, o, n, TooManyRequests)
	if err != nil {
		return held, err
	}
	return slot.With(held), nil
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
	case Provider:
		return l.Providers
	}
	return l.Cheap
}
