package limiter

import (
	"slices"
	"time"
)

// turns tracks the running and waiting operations and selects the next operation to run. It selects
// the school whose running operations hold the fewest slots, then the key of that school whose
// running operations hold the fewest slots, then the operation of that key that has waited longest.
// If schools or keys are tied, it selects the one that has used slots for the shortest time, so that
// one with short operations need not wait for as many long ones of another. If they are still tied,
// it selects the one that was served least recently.
type turns struct {
	perSchool int           // slots that one school may hold at present
	perKey    int           // slots that one key may hold at present
	reserved  int           // slots that only schools that hold none may take at present
	spareKey  bool          // whether the last slot of a school is for keys that hold none
	tolerance time.Duration // how long an operation whose slots are not free lets others of its school overtake
	schools   shares[*school]
	served    uint64 // number of turns so far
}

type school struct {
	share
	keys shares[*key]
}

type key struct {
	share
	queue []*waiter // in the order of arrival
}

// waiter is a waiting operation, which takes size slots. granted is closed when it may start.
type waiter struct {
	size    int
	since   time.Time
	granted chan struct{}
}

func newTurns(reserved int, spareKey bool, tolerance time.Duration) turns {
	return turns{reserved: reserved, spareKey: spareKey, tolerance: tolerance, schools: newShares[*school]()}
}

// mayBegin reports whether an operation of the key k of s that takes size slots may start. s and k
// may be nil. free is the number of free slots.
func (t *turns) mayBegin(s *school, k *key, size, free int) bool {
	if s == nil || s.running == 0 {
		return size <= free
	}
	ofSchool := t.perSchool
	if t.spareKey && k != nil && k.running > 0 {
		ofSchool--
	}
	return s.running+size <= ofSchool && size <= free-t.reserved && !t.isFull(k, size)
}

// isFull reports whether another operation that takes size slots must wait for those of k.
func (t *turns) isFull(k *key, size int) bool {
	return k != nil && k.running > 0 && k.running+size > t.perKey
}

// find returns the school and the key of o, or nil.
func (t *turns) find(o Origin) (*school, *key) {
	if s := t.schools.of[o.School]; s != nil {
		return s, s.keys.of[o.Key]
	}
	return nil, nil
}

// several reports whether at least two schools are active, counting the school of o and schools
// with running or waiting operations. The zero school does not count.
func (t *turns) several(o Origin) bool {
	others := t.schools.active
	if s := t.schools.of[o.School]; s != nil && !s.idle() {
		others--
	}
	if o.School == ([16]byte{}) {
		return others > 1
	}
	if s := t.schools.of[[16]byte{}]; s != nil && !s.idle() {
		others--
	}
	return others > 0
}

// add changes the slots of the running operations and the number of the waiting operations of o. It
// returns the school and the key of o.
func (t *turns) add(o Origin, running, waiting int) (*school, *key) {
	s := t.schools.get(o.School, func() *school {
		t.served++
		return &school{share: share{served: t.served}, keys: newShares[*key]()}
	})
	k := s.keys.get(o.Key, func() *key {
		t.served++
		return &key{share: share{served: t.served}}
	})
	t.schools.add(s, running, waiting)
	s.keys.add(k, running, waiting)
	return s, k
}

// drop removes the school and the key of o if they need not be kept.
func (t *turns) drop(o Origin, s *school, k *key) {
	s.keys.drop(o.Key, k)
	t.schools.drop(o.School, s)
}

// begin begins an operation that takes size slots. waiting is the change of the number of waiting
// operations.
func (t *turns) begin(o Origin, size, waiting int) {
	s, k := t.add(o, size, waiting)
	t.served++
	s.served, k.served = t.served, t.served
}

// end ends an operation that took size slots for the given time.
func (t *turns) end(o Origin, size int, took time.Duration) {
	s, k := t.add(o, -size, 0)
	// If more time counted as used, the school or key would lose its turns for so long that its other
	// operations fail.
	used := time.Duration(size) * min(took, t.tolerance)
	s.used += used
	k.used += used
	t.drop(o, s, k)
}

func (t *turns) wait(o Origin, size int, now time.Time) *waiter {
	_, k := t.add(o, 0, 1)
	w := &waiter{size: size, since: now, granted: make(chan struct{})}
	k.queue = append(k.queue, w)
	return w
}

// leave removes a waiting operation and reports whether it was still waiting.
func (t *turns) leave(o Origin, w *waiter) bool {
	_, k := t.find(o)
	if k == nil {
		return false
	}
	i := slices.Index(k.queue, w)
	if i < 0 {
		return false
	}
	k.queue = slices.Delete(k.queue, i, i+1)
	s, _ := t.add(o, 0, -1)
	t.drop(o, s, k)
	return true
}

// next starts the next waiting operation that may start, and returns the slots that it takes, or 0
// if there was none. free is the number of free slots. next visits all schools with waiting
// operations; there are few.
func (t *turns) next(free int, now time.Time) int {
	var o Origin
	var s *school
	var k *key
	for id, other := range t.schools.of {
		if other.waiting == 0 || s != nil && !other.before(&s.share) {
			continue
		}
		if of, first := t.nextKey(other, free, now); first != nil {
			o, s, k = Origin{School: id, Key: of}, other, first
		}
	}
	if s == nil {
		return 0
	}
	w := k.queue[0]
	k.queue = slices.Delete(k.queue, 0, 1)
	t.begin(o, w.size, -1)
	close(w.granted)
	return w.size
}

// nextKey returns the key of s whose next operation may start, or nil if there is none. If the slots
// of the operation whose turn it is are not free, it lets others overtake it for a while.
func (t *turns) nextKey(s *school, free int, now time.Time) (id [16]byte, k *key) {
	var first *key
	for other, candidate := range s.keys.of {
		if candidate.waiting == 0 || t.isFull(candidate, candidate.queue[0].size) {
			continue
		}
		if first == nil || candidate.before(&first.share) {
			first = candidate
		}
		if (k == nil || candidate.before(&k.share)) && t.mayBegin(s, candidate, candidate.queue[0].size, free) {
			id, k = other, candidate
		}
	}
	if k != first && now.Sub(first.queue[0].since) >= t.tolerance {
		return id, nil
	}
	return id, k
}
