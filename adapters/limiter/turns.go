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
// it selects the one that was served least recently. Idle schools and keys are dropped.
type turns struct {
	perSchool int           // slots that one school may hold at present
	perKey    int           // slots that one key may hold at present
	reserved  int           // slots that only schools that hold none may take
	charged   time.Duration // maximum time that counts as used by one operation
	schools   map[[16]byte]*school
	floor     time.Duration // highest used time of a school when it was served
	served    uint64        // number of turns so far
}

type school struct {
	share
	keys  map[[16]byte]*key
	floor time.Duration // like that of turns, but of keys
}

type key struct {
	share
	queue []*waiter // in the order of arrival
}

// share is the state of a school or a key.
type share struct {
	running int           // slots of its running operations
	waiting int           // number of its waiting operations
	used    time.Duration // time for which it has used slots, plus the floor when it became active
	served  uint64        // number of its last turn
}

func (s *share) idle() bool { return s.running == 0 && s.waiting == 0 }

// before reports whether s is served before other.
func (s *share) before(other *share) bool {
	if s.running != other.running {
		return s.running < other.running
	}
	if s.used != other.used {
		return s.used < other.used
	}
	return s.served < other.served
}

// raise raises the used time of s to floor: time in which it did not ask for slots is not saved.
func (s *share) raise(floor time.Duration) time.Duration {
	s.used = max(s.used, floor)
	return s.used
}

// waiter is a waiting operation, which takes size slots. granted is closed when it may start.
type waiter struct {
	size    int
	granted chan struct{}
}

func newTurns(reserved int, charged time.Duration) turns {
	return turns{reserved: reserved, charged: charged, schools: map[[16]byte]*school{}}
}

// mayBegin reports whether an operation of the key k of s that takes size slots may start. free is
// the number of free slots.
func (t *turns) mayBegin(s *school, k *key, size, free int) bool {
	if s == nil || s.running == 0 {
		return size <= free
	}
	return s.running+size <= t.perSchool && size <= free-t.reserved && !t.isFull(k, size)
}

// isFull reports whether another operation that takes size slots must wait for those of k.
func (t *turns) isFull(k *key, size int) bool {
	return k != nil && k.running > 0 && k.running+size > t.perKey
}

// isNext reports whether an operation of o would overtake no waiting operation of its school,
// except those that wait for other operations of their key.
func (t *turns) isNext(o Origin) bool {
	s := t.schools[o.School]
	if s == nil || s.waiting == 0 {
		return true
	}
	for id, k := range s.keys {
		if k.waiting > 0 && (id == o.Key || !t.isFull(k, k.queue[0].size)) {
			return false
		}
	}
	return true
}

// find returns the school and the key of o, or nil.
func (t *turns) find(o Origin) (*school, *key) {
	if s := t.schools[o.School]; s != nil {
		return s, s.keys[o.Key]
	}
	return nil, nil
}

// several reports whether at least two schools are active, counting the school of o and schools
// with running or waiting operations. The zero school does not count.
func (t *turns) several(o Origin) bool {
	others := len(t.schools)
	if t.schools[o.School] != nil {
		others--
	}
	if o.School == ([16]byte{}) {
		return others > 1
	}
	if t.schools[[16]byte{}] != nil {
		others--
	}
	return others > 0
}

// of returns the school and the key of o, and creates them if they do not exist.
func (t *turns) of(o Origin) (*school, *key) {
	s := t.schools[o.School]
	if s == nil {
		t.served++
		s = &school{share: share{served: t.served}, keys: map[[16]byte]*key{}}
		t.schools[o.School] = s
	}
	k := s.keys[o.Key]
	if k == nil {
		t.served++
		k = &key{share: share{served: t.served}}
		s.keys[o.Key] = k
	}
	return s, k
}

// drop removes the school and the key of o if they are idle.
func (t *turns) drop(o Origin, s *school, k *key) {
	if k.idle() {
		delete(s.keys, o.Key)
	}
	if s.idle() {
		delete(t.schools, o.School)
	}
}

func (t *turns) begin(o Origin, size int) {
	s, k := t.of(o)
	t.floor = s.raise(t.floor)
	s.floor = k.raise(s.floor)
	s.running += size
	k.running += size
	t.served++
	s.served, k.served = t.served, t.served
}

// end ends an operation that took size slots for the given time.
func (t *turns) end(o Origin, size int, took time.Duration) {
	s, k := t.of(o)
	used := time.Duration(size) * min(took, t.charged)
	s.running, s.used = s.running-size, s.used+used
	k.running, k.used = k.running-size, k.used+used
	t.drop(o, s, k)
}

func (t *turns) wait(o Origin, size int) *waiter {
	s, k := t.of(o)
	s.raise(t.floor)
	k.raise(s.floor)
	w := &waiter{size: size, granted: make(chan struct{})}
	s.waiting++
	k.waiting++
	k.queue = append(k.queue, w)
	return w
}

// leave removes a waiting operation and reports whether it was still waiting.
func (t *turns) leave(o Origin, w *waiter) bool {
	s, k := t.of(o)
	defer t.drop(o, s, k)
	i := slices.Index(k.queue, w)
	if i < 0 {
		return false
	}
	k.queue = slices.Delete(k.queue, i, i+1)
	s.waiting--
	k.waiting--
	return true
}

// next starts the next waiting operation that may start, and returns the slots that it takes, or 0
// if there was none. free is the number of free slots. next visits all schools with waiting
// operations; there are few.
func (t *turns) next(free int) int {
	var o Origin
	var s *school
	for id, other := range t.schools {
		if other.waiting == 0 || s != nil && !other.before(&s.share) {
			continue
		}
		if _, k := other.next(); t.mayBegin(other, k, k.queue[0].size, free) {
			o.School, s = id, other
		}
	}
	if s == nil {
		return 0
	}
	id, k := s.next()
	o.Key = id
	w := k.queue[0]
	k.queue = slices.Delete(k.queue, 0, 1)
	s.waiting--
	k.waiting--
	t.begin(o, w.size)
	close(w.granted)
	return w.size
}

// next returns the key whose turn is next. At least one operation of s must wait.
func (s *school) next() (id [16]byte, k *key) {
	for other, candidate := range s.keys {
		if candidate.waiting > 0 && (k == nil || candidate.before(&k.share)) {
			id, k = other, candidate
		}
	}
	return id, k
}
