package admission

import "slices"

// turns knows which operations run and wait, and whose turn is next: that of the
// school that has the fewest running, in it that of the key that has the fewest
// running, in it that of the operation that waits longest. Ties go to the one that
// was served longest ago. What neither runs nor waits is not remembered.
type turns struct {
	perSchool int // slots that one school may hold now
	schools   map[[16]byte]*school
	served    uint64 // counts turns
}

type school struct {
	share
	keys map[[16]byte]*key
}

type key struct {
	share
	queue []*waiter // in the order of arrival
}

// share is what a school or a key has.
type share struct {
	running, waiting int
	served           uint64 // when it had its last turn
}

func (s *share) idle() bool { return s.running == 0 && s.waiting == 0 }

// before reports whether s has its turn before other.
func (s *share) before(other *share) bool {
	if s.running != other.running {
		return s.running < other.running
	}
	return s.served < other.served
}

// waiter is an operation that waits.
type waiter struct{ granted chan struct{} }

func newTurns(perSchool int) turns {
	return turns{perSchool: perSchool, schools: map[[16]byte]*school{}}
}

// mayBegin reports whether an operation from o may begin while slots are free.
// Those that wait then belong to schools that hold all that they may.
func (t *turns) mayBegin(o Origin) bool {
	s := t.schools[o.School]
	return s == nil || s.running < t.perSchool
}

// waiting returns how many operations of the school of o wait.
func (t *turns) waiting(o Origin) int {
	if s := t.schools[o.School]; s != nil {
		return s.waiting
	}
	return 0
}

// of returns the shares of o, new ones at the end of the line.
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

// forget drops the shares of o that are idle.
func (t *turns) forget(o Origin, s *school, k *key) {
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
	t.forget(o, s, k)
}

func (t *turns) wait(o Origin) *waiter {
	s, k := t.of(o)
	w := &waiter{granted: make(chan struct{})}
	s.waiting++
	k.waiting++
	k.queue = append(k.queue, w)
	return w
}

// leave removes an operation that waits no longer, and reports whether it was
// still waiting.
func (t *turns) leave(o Origin, w *waiter) bool {
	s, k := t.of(o)
	defer t.forget(o, s, k)
	i := slices.Index(k.queue, w)
	if i < 0 {
		return false
	}
	k.queue = slices.Delete(k.queue, i, i+1)
	s.waiting--
	k.waiting--
	return true
}

// next lets the operation begin whose turn it is, and reports whether there was
// one. Few schools wait at a time, so all are looked at.
func (t *turns) next() bool {
	var o Origin
	var s *school
	for id, other := range t.schools {
		if other.waiting > 0 && other.running < t.perSchool && (s == nil || other.before(&s.share)) {
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
