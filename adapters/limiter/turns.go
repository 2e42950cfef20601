package limiter

import "slices"

// turns tracks the running and waiting operations and selects the next one: from the school with
// the fewest running operations, from its key with the fewest, the operation that has waited
// longest. Ties go to the one served least recently. Idle schools and keys are dropped.
type turns struct {
	perSchool int // slots that one school may hold at present
	reserved  int // slots that only schools that hold none may take
	schools   map[[16]byte]*school
	served    uint64 // number of turns so far
}

type school struct {
	share
	keys map[[16]byte]*key
}

type key struct {
	share
	queue []*waiter // in the order of arrival
}

// share is the state of a school or a key.
type share struct {
	running, waiting int
	served           uint64 // number of its last turn
}

func (s *share) idle() bool { return s.running == 0 && s.waiting == 0 }

// before reports whether s is served before other.
func (s *share) before(other *share) bool {
	if s.running != other.running {
		return s.running < other.running
	}
	return s.served < other.served
}

// waiter is a waiting operation. granted is closed when it may start.
type waiter struct{ granted chan struct{} }

func newTurns(perSchool, reserved int) turns {
	return turns{perSchool: perSchool, reserved: reserved, schools: map[[16]byte]*school{}}
}

// mayBegin reports whether an operation of s may start while free slots, at least one, are free.
// Waiting operations then belong to schools that may not start one.
func (t *turns) mayBegin(s *school, free int) bool {
	return s == nil || s.running == 0 || s.running < t.perSchool && free > t.reserved
}

// several reports whether at least two schools are active: that of o and those with running or
// waiting operations. The zero school does not count.
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

// waiting returns how many operations of o's school wait.
func (t *turns) waiting(o Origin) int {
	if s := t.schools[o.School]; s != nil {
		return s.waiting
	}
	return 0
}

// of returns the shares of o and creates them if they do not exist.
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

// drop removes the shares of o if they are idle.
func (t *turns) drop(o Origin, s *school, k *key) {
	if k.idle() {
		delete(s.keys, o.Key)
	}
	if s.idle() {
		delete(t.schools, o.School)
	}
}

func (t *turns) begin(o Origin) {
	s, k := t.of(o)
	s.running++
	k.running++
	t.served++
	s.served, k.served = t.served, t.served
}

func (t *turns) end(o Origin) {
	s, k := t.of(o)
	s.running--
	k.running--
	t.drop(o, s, k)
}

func (t *turns) wait(o Origin) *waiter {
	s, k := t.of(o)
	w := &waiter{granted: make(chan struct{})}
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

// next starts the next waiting operation while free slots, at least one, are free, and reports
// whether there was one. It visits all waiting schools, which are few.
func (t *turns) next(free int) bool {
	var o Origin
	var s *school
	for id, other := range t.schools {
		if other.waiting > 0 && t.mayBegin(other, free) && (s == nil || other.before(&s.share)) {
			o.School, s = id, other
		}
	}
	if s == nil {
		return false
	}
	var k *key
	for id, other := range s.keys {
		if other.waiting > 0 && (k == nil || other.before(&k.share)) {
			o.Key, k = id, other
		}
	}
	w := k.queue[0]
	k.queue = slices.Delete(k.queue, 0, 1)
	s.waiting--
	k.waiting--
	t.begin(o)
	close(w.granted)
	return true
}
