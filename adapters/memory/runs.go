package memory

import (
	"cmp"
	"iter"
	"math"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
)

// runs is the course attempts of a school and the completions in them. Both are
// never changed, only replaced.
type runs struct {
	byID     ordered.Dict[uuid.UUID, *attempt.State]
	numbered ordered.Tree[*attempt.State] // by compareRuns
	courses  ordered.Tree[*attempt.State] // by course and id
	done     ordered.Tree[*finished]      // by compareCompletions
	rows     ordered.Index[*finished]
}

// finished is a completion and the attempt in which it stands, of which only what
// never changes is right.
type finished struct {
	attempt.Completion
	in *attempt.State
}

// completionOrder is the order of the list of completions.
var completionOrder = ordered.Order[*finished]{
	Compare: func(a, b *finished) int {
		return cmp.Or(b.At.Compare(a.At), compareCompletions(a, b))
	},
	Sections: []ordered.Section[*finished]{
		{Attr: "person.id", ID: func(c *finished) uuid.UUID { return c.in.Person.UUID }},
		{Attr: "course.id", ID: func(c *finished) uuid.UUID { return c.in.Course.UUID }},
		{Attr: "activity.id", ID: func(c *finished) uuid.UUID { return c.Activity.UUID }},
	},
}

func newRuns() runs {
	return runs{
		byID:     ordered.NewDict[uuid.UUID, *attempt.State](ordered.CompareIDs),
		numbered: ordered.NewTree(compareRuns),
		courses: ordered.NewTree(func(a, b *attempt.State) int {
			return cmp.Or(ordered.CompareIDs(a.Course.UUID, b.Course.UUID), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
		}),
		done: ordered.NewTree(compareCompletions),
		rows: ordered.NewIndex(completionOrder),
	}
}

// compareRuns orders by person, course and number, of which no two attempts have
// all alike.
func compareRuns(a, b *attempt.State) int {
	return cmp.Or(
		ordered.CompareIDs(a.Person.UUID, b.Person.UUID),
		ordered.CompareIDs(a.Course.UUID, b.Course.UUID),
		cmp.Compare(a.Number, b.Number),
	)
}

// compareCompletions orders by attempt and activity, of which no two completions
// have both alike.
func compareCompletions(a, b *finished) int {
	return cmp.Or(ordered.CompareIDs(a.Attempt.UUID, b.Attempt.UUID), ordered.CompareIDs(a.Activity.UUID, b.Activity.UUID))
}

// Copy returns runs that change on their own.
func (u runs) Copy() runs {
	return runs{u.byID.Copy(), u.numbered.Copy(), u.courses.Copy(), u.done.Copy(), u.rows.Copy()}
}

// finish keeps a new completion.
func (u runs) finish(c *finished) {
	u.done.Set(c)
	u.rows.Set(c)
}

// completion returns the completion of an activity in an attempt.
func (u runs) completion(in attempt.ID, a activity.ID) (*finished, bool) {
	return u.done.Get(&finished{Completion: attempt.Completion{Attempt: in, Activity: a}})
}

// set keeps a, in the place of the attempt that has its id, person, course and
// number.
func (u runs) set(a *attempt.State) {
	u.byID.Set(a.ID.UUID, a)
	u.numbered.Set(a)
	u.courses.Set(a)
}

// remove forgets a and its completions.
func (u runs) remove(a *attempt.State) {
	u.byID.Remove(a.ID.UUID)
	u.numbered.Delete(a)
	u.courses.Delete(a)
	var done []*finished
	for c := range u.completions(a.ID) {
		done = append(done, c)
	}
	for _, c := range done {
		u.done.Delete(c)
		u.rows.Remove(c)
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

// at yields the attempts at a course.
func (u runs) at(c course.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Course: c} // no id comes before it
		u.courses.Ascend(start, func(a *attempt.State) bool { return a.Course == c && yield(a) })
	}
}

// completions yields the completions in an attempt.
func (u runs) completions(id attempt.ID) iter.Seq[*finished] {
	return func(yield func(*finished) bool) {
		start := &finished{Completion: attempt.Completion{Attempt: id}} // no activity comes before it
		u.done.Ascend(start, func(c *finished) bool { return c.Attempt == id && yield(c) })
	}
}
