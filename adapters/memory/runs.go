package memory

import (
	"cmp"
	"iter"
	"math"

	"github.com/google/uuid"
	"github.com/tidwall/btree"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// runs is the course attempts of a school and the completions in them. Both are
// never changed, only replaced.
type runs struct {
	byID     dict[uuid.UUID, *attempt.State]
	numbered *btree.BTreeG[*attempt.State]      // by compareRuns
	done     *btree.BTreeG[*attempt.Completion] // by compareCompletions
}

func newRuns() runs {
	return runs{
		byID:     newDict[uuid.UUID, *attempt.State](compareIDs),
		numbered: newTree(compareRuns),
		done:     newTree(compareCompletions),
	}
}

// compareRuns orders by person, course and number, of which no two attempts have
// all alike.
func compareRuns(a, b *attempt.State) int {
	return cmp.Or(
		compareIDs(a.Person.UUID, b.Person.UUID),
		compareIDs(a.Course.UUID, b.Course.UUID),
		cmp.Compare(a.Number, b.Number),
	)
}

// compareCompletions orders by attempt and activity, of which no two completions
// have both alike.
func compareCompletions(a, b *attempt.Completion) int {
	return cmp.Or(compareIDs(a.Attempt.UUID, b.Attempt.UUID), compareIDs(a.Activity.UUID, b.Activity.UUID))
}

// Copy returns runs that change on their own.
func (u runs) Copy() runs { return runs{u.byID.Copy(), u.numbered.Copy(), u.done.Copy()} }

// set keeps a, in the place of the attempt that has its id, person, course and
// number.
func (u runs) set(a *attempt.State) {
	u.byID.set(a.ID.UUID, a)
	u.numbered.Set(a)
}

// remove forgets a and its completions.
func (u runs) remove(a *attempt.State) {
	u.byID.remove(a.ID.UUID)
	u.numbered.Delete(a)
	var done []*attempt.Completion
	for c := range u.completions(a.ID) {
		done = append(done, c)
	}
	for _, c := range done {
		u.done.Delete(c)
	}
}

// latest returns the attempt with the highest number of a person in a course.
func (u runs) latest(p person.ID, c course.ID) (last *attempt.State, ok bool) {
	behind := &attempt.State{Person: p, Course: c, Number: math.MaxInt}
	u.numbered.Descend(behind, func(a *attempt.State) bool {
		last, ok = a, a.Person == p && a.Course == c
		return false
	})
	return last, ok
}

// in yields the attempts of a person in a course by their numbers.
func (u runs) in(p person.ID, c course.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Person: p, Course: c, Number: math.MinInt}
		u.numbered.Ascend(start, func(a *attempt.State) bool {
			return a.Person == p && a.Course == c && yield(a)
		})
	}
}

// of yields the attempts of a person.
func (u runs) of(p person.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Person: p, Number: math.MinInt} // no course comes before it
		u.numbered.Ascend(start, func(a *attempt.State) bool { return a.Person == p && yield(a) })
	}
}

// completions yields the completions in an attempt.
func (u runs) completions(id attempt.ID) iter.Seq[*attempt.Completion] {
	return func(yield func(*attempt.Completion) bool) {
		start := &attempt.Completion{Attempt: id} // no activity comes before it
		u.done.Ascend(start, func(c *attempt.Completion) bool { return c.Attempt == id && yield(c) })
	}
}
