// Package follow processes the change feeds of all schools within the server. A follower has a
// position in the feed of a school, which the store keeps. Start with Followers.Next.
package follow

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
)

const (
	// pageSize is the maximum number of changes that one transaction processes.
	pageSize = 100
	// stepTimeout is the maximum duration of the transaction of one page and of what precedes it.
	stepTimeout = 30 * time.Second
	// lockTimeout is how long a step waits for a lock, or for a connection to the store. All other steps
	// wait for it, also those of other schools.
	lockTimeout = 100 * time.Millisecond
	// fullPause is how long a follower whose handler takes no page does not keep its turn from the
	// other followers of its school.
	fullPause = time.Second
)

// Handler returns a function that writes what follows from a page of changes. The function runs in
// the transaction that moves the follower, so it writes for each change exactly once. nil: there is
// nothing to write.
type Handler func(ctx context.Context, f change.Follower, page []change.Change) (write func(ctx context.Context, tx ports.Tx) error, err error)

// ErrFull is the error of a handler that can take no page at present, of a follower with an end. The
// follower stays where it is, and gets the page again after a second.
var ErrFull = errors.New("follow: a handler takes no page at present")

// Followers contains the handlers of the followers.
type Followers struct {
	deps       usecase.Deps
	started    time.Time
	handlers   map[string]Handler // by name, or by the part of the name before the first slash
	names      []string
	everywhere []string

	mu     sync.Mutex           // guards the following attributes
	served map[school.ID]string // names of the followers with an end that the last call of Next has moved
	locked map[school.ID]bool   // schools with a follower that waited for a lock in vain in the last call of Next
	full   map[key]time.Time    // until when followers get no page, because their handlers took none
}

// New returns followers without handlers.
func New(d usecase.Deps) *Followers {
	return &Followers{deps: d, started: d.Clock.Now(), handlers: map[string]Handler{}, full: map[key]time.Time{}}
}

// Handle sets the handler of the followers with a name, which use cases add. It must be called
// before Next.
func (u *Followers) Handle(name string, h Handler) {
	u.handlers[name] = h
	u.names = append(u.names, name)
}

// HandleEverywhere is like Handle, but each school has such a follower. It starts with the changes
// after the first call of Next or, in a school that is created later, with the first change.
func (u *Followers) HandleEverywhere(name string, h Handler) {
	u.handlers[name] = h
	u.everywhere = append(u.everywhere, name)
}

// Next processes a page for each follower that has work to do, and reports whether there was one. Of
// the followers with an end, such as replays, only one of each school gets a page, after all others:
// they take turns, because a school can have many of them, which would delay the followers of other
// schools. If a follower fails, the others continue. If it waits too long for a lock, the next call
// tries again, with the followers of that school after all others. Several servers may call Next
// concurrently: only one of them moves a follower.
func (u *Followers) Next(ctx context.Context) (bool, error) {
	due, err := u.deps.Schools.FollowersBehind(ctx, u.names, u.everywhere)
	if err != nil {
		return false, err
	}
	any := false
	var errs []error
	locked := map[school.ID]bool{}
	for _, f := range u.lockedLast(u.inTurn(due)) {
		moved, err := u.step(ctx, f)
		switch {
		case errors.Is(err, ports.ErrLockTimeout):
			locked[f.School] = true
		case errors.Is(err, ErrFull):
			any = u.pause(f, due) || any
		default:
			any = any || moved
			errs = append(errs, err)
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.locked = locked
	return any, errors.Join(errs...)
}

// step processes a page for one follower and reports whether it has moved.
func (u *Followers) step(ctx context.Context, f change.Follower) (moved bool, err error) {
	ctx, cancel := context.WithTimeout(ports.WithLockTimeout(ctx, lockTimeout), stepTimeout)
	defer cancel()
	name, _, _ := strings.Cut(f.Name, "/")
	handler := u.handlers[name]
	switch {
	case handler == nil: // of another server, which has an extension
		return false, nil
	case f.Position == change.New:
		return true, u.start(ctx, f)
	}
	page, end, err := u.read(ctx, f)
	if err != nil || end == f.Position && f.Until == 0 {
		return false, err
	}
	var write func(ctx context.Context, tx ports.Tx) error
	if len(page) > 0 {
		if write, err = handler(ctx, f, page); err != nil {
			return false, err
		}
	}
	err = u.deps.InTx(ctx, usecase.SystemActor(f.School), func(ctx context.Context, tx ports.Tx) error {
		if moved, err = tx.Followers.Move(ctx, f, end); err != nil || !moved {
			return err
		}
		if f.Until > 0 && end >= f.Until {
			if err := tx.Followers.Delete(ctx, f.Name); err != nil {
				return err
			}
		}
		if write == nil {
			return nil
		}
		return write(ctx, tx)
	})
	return moved, err
}

// start adds a follower of a school that has none.
func (u *Followers) start(ctx context.Context, f change.Follower) error {
	r := u.deps.Store.Read(f.School)
	s, err := r.School.Get(ctx)
	if err != nil {
		return err
	}
	f.Position = 0
	if s.State().CreatedAt.Before(u.started) {
		feed, err := r.Changes.Feed(ctx)
		if err != nil {
			return err
		}
		f.Position = feed.End
	}
	return u.deps.InTx(ctx, usecase.SystemActor(f.School), func(ctx context.Context, tx ports.Tx) error {
		return tx.Followers.AddIfAbsent(ctx, f)
	})
}

// read returns the next changes for a follower, and its position after them.
func (u *Followers) read(ctx context.Context, f change.Follower) (page []change.Change, end int64, err error) {
	r := u.deps.Store.Read(f.School)
	position := change.Schema.Attr("uuid")
	where := query.And{query.Cond{Attr: position, Op: query.Gt, Values: []query.Value{{Int: f.Position}}}}
	if f.Until > 0 {
		where = append(where, query.Cond{Attr: position, Op: query.Lteq, Values: []query.Value{{Int: f.Until}}})
	}
	found, err := r.Changes.Page(ctx, query.Query{Where: where, Sort: change.Schema.Default(), Page: query.NewPage(1, pageSize)})
	if err != nil {
		return nil, 0, err
	}
	feed, err := r.Changes.Feed(ctx)
	switch n := len(found.Items); {
	case err != nil:
		return nil, 0, err
	case !feed.Holds(f.Position): // some changes have expired, perhaps also some of the page
		return nil, feed.Start, nil
	case n > 0:
		return found.Items, found.Items[n-1].Position, nil
	case f.Until > 0:
		return nil, f.Until, nil
	}
	return nil, f.Position, nil
}
