package limiter

import "container/list"

// recent keeps values of the most recently used origins.
type recent[T any] struct {
	kept     int // maximum number of origins; positive
	elements map[[16]byte]*list.Element
	order    list.List // values of type entry[T], most recently used first
}

type entry[T any] struct {
	origin [16]byte
	value  T
}

func newRecent[T any](kept int) *recent[T] {
	return &recent[T]{kept: kept, elements: map[[16]byte]*list.Element{}}
}

// find returns the value of origin without using it.
func (r *recent[T]) find(origin [16]byte) (value T, ok bool) {
	if e := r.elements[origin]; e != nil {
		return e.Value.(entry[T]).value, true
	}
	return value, false
}

// use returns the value of origin. If there is none, it adds the result of create, and drops the
// least recently used origin if there are too many.
func (r *recent[T]) use(origin [16]byte, create func() T) T {
	if e := r.elements[origin]; e != nil {
		r.order.MoveToFront(e)
		return e.Value.(entry[T]).value
	}
	if len(r.elements) >= r.kept {
		oldest := r.order.Remove(r.order.Back()).(entry[T])
		delete(r.elements, oldest.origin)
	}
	added := entry[T]{origin: origin, value: create()}
	r.elements[origin] = r.order.PushFront(added)
	return added.value
}
