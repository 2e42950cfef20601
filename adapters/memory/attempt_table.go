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

// attemptTable contains the course attempts of a school and their completions. Both are immutable;
// a change replaces them.
type attemptTable struct {
	byID                 ordered.Dict[uuid.UUID, *attempt.State]
	byNumber             ordered.Tree[*attempt.State] // ordered by byPersonCourseNumber
	byCourse             ordered.Tree[*attempt.State] // ordered by course and id
	completionsByAttempt ordered.Tree[*completionRow] // ordered by byAttemptActivity
	completionRows       ordered.Index[*completionRow]
	written              *[]*completionRow // completions added and removed since the table was copied
}

// completionRow is a completion with its course attempt. The attempt may be outdated, so read only
// its id, person, course and number, which never change.
type completionRow struct {
	attempt.Completion
	attempt *attempt.State
}

// completionOrder is the default order of the list of completions.
var completionOrder = ordered.Order[*completionRow]{
	Compare: func(a, b *completionRow) int {
		return cmp.Or(b.At.Compare(a.At), byAttemptActivity(a, b))
	},
	Sections: []ordered.Section[*completionRow]{
		{Attr: "person.id", ID: func(c *completionRow) uuid.UUID { return c.attempt.Person.UUID }},
		{Attr: "course.id", ID: func(c *completionRow) uuid.UUID { return c.attempt.Course.UUID }},
		{Attr: "activity.id", ID: func(c *completionRow) uuid.UUID { return c.Activity.UUID }},
	},
}

func newAttemptTable() attemptTable {
	return attemptTable{
		byID:     ordered.NewDict[uuid.UUID, *attempt.State](ordered.CompareIDs),
		byNumber: ordered.NewTree(byPersonCourseNumber),
		byCourse: ordered.NewTree(func(a, b *attempt.State) int {
			return cmp.Or(ordered.CompareIDs(a.Course.UUID, b.Course.UUID), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
		}),
		completionsByAttempt: ordered.NewTree(byAttemptActivity),
		completionRows:       ordered.NewIndex(completionOrder),
		written:              new([]*completionRow),
	}
}

// byPersonCourseNumber compares course attempts by person, course and number. Their combination is
// unique.
func byPersonCourseNumber(a, b *attempt.State) int {
	return cmp.Or(
		ordered.CompareIDs(a.Person.UUID, b.Person.UUID),
		ordered.CompareIDs(a.Course.UUID, b.Course.UUID),
		cmp.Compare(a.Number, b.Number),
	)
}

// byAttemptActivity compares completions by attempt and activity. Their combination is unique.
func byAttemptActivity(a, b *completionRow) int {
	return cmp.Or(ordered.CompareIDs(a.Attempt.UUID, b.Attempt.UUID), ordered.CompareIDs(a.Activity.UUID, b.Activity.UUID))
}

// Copy returns a table with the same contents that can be changed independently.
func (u attemptTable) Copy() attemptTable {
	return attemptTable{
		u.byID.Copy(), u.byNumber.Copy(), u.byCourse.Copy(), u.completionsByAttempt.Copy(), u.completionRows.Copy(),
		new([]*completionRow),
	}
}

func (u attemptTable) addCompletion(c *completionRow) {
	*u.written = append(*u.written, c)
	u.completionsByAttempt.Set(c)
	u.completionRows.Set(c)
}

// completion returns the completion of an activity in an attempt, and reports whether it exists.
func (u attemptTable) completion(in attempt.ID, a activity.ID) (*completionRow, bool) {
	return u.completionsByAttempt.Get(&completionRow{Completion: attempt.Completion{Attempt: in, Activity: a}})
}

// set inserts a, or replaces the attempt with the same id, person, course and number.
func (u attemptTable) set(a *attempt.State) {
	u.byID.Set(a.ID.UUID, a)
	u.byNumber.Set(a)
	u.byCourse.Set(a)
}

// remove removes a and its completions.
func (u attemptTable) remove(a *attempt.State) {
	u.byID.Remove(a.ID.UUID)
	u.byNumber.Delete(a)
	u.byCourse.Delete(a)
	var done []*completionRow
	for c := range u.completions(a.ID) {
		done = append(done, c)
	}
	*u.written = append(*u.written, done...)
	for _, c := range done {
		u.completionsByAttempt.Delete(c)
		u.completionRows.Remove(c)
	}
}

// latest returns the attempt with the highest number of a person in a course, and reports whether
// there is one.
func (u attemptTable) latest(p person.ID, c course.ID) (last *attempt.State, ok bool) {
	behind := &attempt.State{Person: p, Course: c, Number: math.MaxInt}
	u.byNumber.Descend(behind, func(a *attempt.State) bool {
		last, ok = a, a.Person == p && a.Course == c
		return false
	})
	return last, ok
}

// ofPersonInCourse yields the attempts of a person at a course, ordered by number.
func (u attemptTable) ofPersonInCourse(p person.ID, c course.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Person: p, Course: c, Number: math.MinInt}
		u.byNumber.Ascend(start, func(a *attempt.State) bool {
			return a.Person == p && a.Course == c && yield(a)
		})
	}
}

// ofPerson yields the attempts of a person.
func (u attemptTable) ofPerson(p person.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Person: p, Number: math.MinInt} // the zero course sorts first
		u.byNumber.Ascend(start, func(a *attempt.State) bool { return a.Person == p && yield(a) })
	}
}

// ofCourse yields the attempts of all people at a course.
func (u attemptTable) ofCourse(c course.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Course: c} // the zero id sorts first
		u.byCourse.Ascend(start, func(a *attempt.State) bool { return a.Course == c && yield(a) })
	}
}

// completions yields the completions of an attempt.
func (u attemptTable) completions(id attempt.ID) iter.Seq[*completionRow] {
	return func(yield func(*completionRow) bool) {
		start := &completionRow{Completion: attempt.Completion{Attempt: id}} // the zero activity sorts first
		u.completionsByAttempt.Ascend(start, func(c *completionRow) bool { return c.Attempt == id && yield(c) })
	}
}
