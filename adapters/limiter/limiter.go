package limiter

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Errors of a busy Limiter. The operation has not started.
var (
	// ErrTimeout means that no slot became free within Config.Wait.
	ErrTimeout = errors.New("limiter: no slot became free in time")
	// ErrFull means that Config.Waiting operations are already waiting.
	ErrFull = errors.New("limiter: too many waiting operations")
)

// Config configures a Limiter. One school can hold at most PerSchool of the Slots. Half of the
// other slots, rounded up, are reserved for schools that hold no slot, so that a few schools
// together cannot hold all slots. At most three quarters of the waiting operations of a school are
// of one key.
type Config struct {
	Slots     int           // operations that run concurrently; below 1 means 1
	PerSchool int           // slots that one school may hold; 0: three quarters of Slots, at least 1
	Shared    int           // slots that one school may hold while another school is active; 0: PerSchool
	Reserved  int           // minimum number of reserved slots while another school is active
	Waiting   int           // operations that may wait, half of them of one school; 0: none
	Wait      time.Duration // maximum time that an operation waits
	LimitKeys bool          // whether one key leaves a quarter of the slots of its school to others, at least one
	SpareKey  bool          // whether the keys of a school leave its last slot to keys that hold none
	Neighbors *Neighbors    // active schools, shared with other limiters; nil: not shared
}

func (c Config) withDefaults() Config {
	c.Slots = max(c.Slots, 1)
	if c.PerSchool <= 0 {
		c.PerSchool = c.Slots * 3 / 4
	}
	c.PerSchool = min(max(c.PerSchool, 1), c.Slots)
	if c.Shared <= 0 {
		c.Shared = c.PerSchool
	}
	c.Shared = min(c.Shared, c.PerSchool)
	if c.Neighbors == nil {
		c.Neighbors = new(Neighbors)
	}
	return c
}

// reserved returns the number of slots that are always reserved for schools that hold none.
func (c Config) reserved() int { return (c.Slots - c.PerSchool + 1) / 2 }

// Origin identifies the source of an operation: the IDs of a school and of an API key, or the
// network of a client without a key. Operations of equal origins wait in one queue.
type Origin struct {
	School, Key [16]byte
	// Passive says that the operation does not make the school active after its end: anybody can
	// request it.
	Passive bool
}

// Stats contains counts of the operations of a Limiter.
type Stats struct {
	Running, Waiting int   // current counts
	Timeouts, Full   int64 // operations rejected since the start, by reason
}

// Limiter limits the number of operations that run concurrently. An operation starts at once while
// slots are free and its school has fewer than its share; otherwise it waits for its turn. A
// Limiter is safe for concurrent use.
type Limiter struct {
	cfg   Config
	mu    sync.Mutex
	turns turns
	stats Stats
	used  int // slots of the running operations
}

// New returns a Limiter whose slots are all free.
func New(cfg Config) *Limiter {
	cfg = cfg.withDefaults()
	return &Limiter{cfg: cfg, turns: newTurns(cfg.reserved(), cfg.SpareKey, cfg.Wait/2)}
}

// Slot is the right to run one operation.
type Slot struct {
	limiter  *Limiter
	origin   Origin
	size     int
	began    time.Time
	released bool
	with     *Slot // slot of another Limiter for the same operation; nil: none
}

// With makes Release also release other, a slot of another Limiter for the same operation.
func (s *Slot) With(other *Slot) *Slot {
	s.with = other
	return s
}

// Acquire waits for a slot for an operation of o. The caller must release the slot. The error is
// ErrFull, ErrTimeout or the error of ctx.
func (l *Limiter) Acquire(ctx context.Context, o Origin) (*Slot, error) { return l.AcquireN(ctx, o, 1) }

// AcquireN is like Acquire, but for an operation that takes n slots, at least 1 and at most those
// that its key may always hold. It waits until all of them are free.
func (l *Limiter) AcquireN(ctx context.Context, o Origin, n int) (*Slot, error) {
	n = min(max(n, 1), l.ofKey(l.cfg.Shared))
	now := time.Now()
	w, err := l.enter(ctx, o, n, now)
	if err != nil {
		return &Slot{released: true}, err
	}
	slot := &Slot{limiter: l, origin: o, size: n, began: now}
	if w == nil {
		return slot, nil
	}
	timer := time.NewTimer(l.cfg.Wait)
	defer timer.Stop()
	select {
	case <-w.granted:
		slot.began = time.Now()
		return slot, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = ErrTimeout
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now = time.Now()
	if !l.turns.leave(o, w) { // the slot was granted at the same time
		slot.began = now
		return slot, nil
	}
	l.stats.Waiting--
	if errors.Is(err, ErrTimeout) {
		l.stats.Timeouts++
	}
	l.startWaiting(now) // those that waited for it
	return &Slot{released: true}, err
}

// enter starts an operation and returns nil, or returns a waiter if the operation has to wait.
func (l *Limiter) enter(ctx context.Context, o Origin, n int, now time.Time) (*waiter, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turns.perSchool, l.turns.reserved = l.cfg.PerSchool, l.cfg.reserved()
	if l.cfg.Neighbors.note(o, now) || l.turns.several(o) {
		l.turns.perSchool, l.turns.reserved = l.cfg.Shared, max(l.cfg.reserved(), l.cfg.Reserved)
	}
	l.turns.perKey = l.ofKey(l.turns.perSchool)
	s, k := l.turns.find(o)
	if l.stats.Waiting == 0 && l.turns.mayBegin(s, k, n, l.free()) {
		l.turns.begin(o, n, 0)
		l.used += n
		l.stats.Running++
		return nil, nil
	}
	full := l.queueIsFull(s, k)
	if full && k != nil && k.waiting > 0 { // it cannot start before the others of its key
		l.stats.Full++
		return nil, ErrFull
	}
	w := l.turns.wait(o, n, now)
	l.stats.Waiting++
	l.startWaiting(now)
	select {
	case <-w.granted:
		return nil, nil
	default:
	}
	if full {
		l.turns.leave(o, w)
		l.stats.Waiting--
		l.stats.Full++
		return nil, ErrFull
	}
	return w, nil
}

// startWaiting starts the waiting operations that may start.
func (l *Limiter) startWaiting(now time.Time) {
	for l.free() > 0 && l.stats.Waiting > 0 {
		n := l.turns.next(l.free(), now)
		if n == 0 {
			return
		}
		l.used += n
		l.stats.Running++
		l.stats.Waiting--
	}
}

// queueIsFull reports whether no further operation of the key k of s may wait. s and k may be nil.
func (l *Limiter) queueIsFull(s *school, k *key) bool {
	ofSchool := max(l.cfg.Waiting/2, 1)
	return l.cfg.Waiting == 0 || l.stats.Waiting >= l.cfg.Waiting ||
		s != nil && s.waiting >= ofSchool || k != nil && k.waiting >= shareOfKey(ofSchool)
}

// ofKey returns how many of n slots of a school one of its keys may hold.
func (l *Limiter) ofKey(n int) int {
	if l.cfg.LimitKeys {
		n = shareOfKey(n)
	}
	return n
}

// shareOfKey returns three quarters of n places of a school: less than n, but at least 1.
func shareOfKey(n int) int { return max(1, n-max(1, n/4)) }

// Release ends the operation and starts waiting operations. It does nothing if s is nil or already
// released.
func (s *Slot) Release() {
	if s == nil {
		return
	}
	s.with.Release()
	if s.limiter == nil {
		return
	}
	l := s.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.released {
		return
	}
	s.released = true
	now := time.Now()
	l.turns.end(s.origin, s.size, now.Sub(s.began))
	l.stats.Running--
	l.used -= s.size
	l.startWaiting(now)
}

func (l *Limiter) free() int { return l.cfg.Slots - l.used }

// Stats returns the current counts.
func (l *Limiter) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}
