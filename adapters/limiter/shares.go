package limiter

import (
	"maps"
	"time"
)

// share is the state of a school or a key.
type share struct {
	running int           // slots of its running operations
	waiting int           // number of its waiting operations
	used    time.Duration // time for which it has used slots, plus the floor when it became active
	served  uint64        // number of its last turn
}

func (s *share) state() *share { return s }

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

// shares contains the schools of a Limiter or the keys of a school. An idle one is kept while it has
// used more time than the others when they were served: otherwise a client that waits for each
// response would get a turn after each short operation of another. When all are idle, none is kept.
type shares[T interface{ state() *share }] struct {
	of     map[[16]byte]T
	active int           // number of those that are not idle
	floor  time.Duration // highest used time of one of them when it was served
}

// maxIdle is the maximum number of idle schools or keys that are kept. All are visited whenever a
// slot becomes free.
const maxIdle = 256

func newShares[T interface{ state() *share }]() shares[T] { return shares[T]{of: map[[16]byte]T{}} }

// get returns the share of id. If there is none, it adds the result of create.
func (s *shares[T]) get(id [16]byte, create func() T) T {
	found, ok := s.of[id]
	if ok {
		return found
	}
	if len(s.of)-s.active >= maxIdle {
		maps.DeleteFunc(s.of, func(_ [16]byte, one T) bool { return one.state().idle() })
	}
	found = create()
	s.of[id] = found
	return found
}

// add changes the slots of the running operations and the number of the waiting operations of one.
// Time in which one asked for no slots is not saved: its used time is at least the floor.
func (s *shares[T]) add(one T, running, waiting int) {
	of := one.state()
	if of.idle() {
		s.active++
	}
	if running > 0 || waiting > 0 {
		of.used = max(of.used, s.floor)
	}
	if running > 0 {
		s.floor = max(s.floor, of.used)
	}
	of.running += running
	of.waiting += waiting
	if of.idle() {
		s.active--
	}
}

// drop removes one if it need not be kept.
func (s *shares[T]) drop(id [16]byte, one T) {
	if of := one.state(); of.idle() && (of.used <= s.floor || s.active == 0) {
		delete(s.of, id)
	}
	if s.active == 0 && len(s.of) > 0 {
		clear(s.of)
	}
}
