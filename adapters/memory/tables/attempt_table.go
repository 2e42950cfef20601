package tables

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

// Attempts contains the course attempts of a school and their completions. Both are immutable;
// a change replaces them.
type Attempts struct {
	ByID                 ordered.Keyed[uuid.UUID, *attempt.State]
	ByNumber             ordered.Tree[*attempt.State] // ordered by byPersonCourseNumber
	byCourse             ordered.Tree[*attempt.State] // ordered by course and id
	CompletionsByAttempt ordered.Tree[*CompletionRow] // ordered by byAttemptActivity
	CompletionRows       ordered.Index[*CompletionRow]
	Written              *[]*CompletionRow // completions added and removed since the table was copied
}

// CompletionRow is a completion with its course attempt. The attempt may be outdated, so read only
// its id, person, course and number, which never change.
type CompletionRow struct {
	attempt.Completion
	Of *attempt.State
}

// completionOrder is the default order of the list of completions.
var completionOrder = ordered.Order[*CompletionRow]{
	Compare: func(a, b *CompletionRow) int {
		return cmp.Or(b.At.Compare(a.At), byAttemptActivity(a, b))
	},
	Sections: []ordered.Section[*CompletionRow]{
		{Attr: "person.id", ID: func(c *CompletionRow) uuid.UUID { return c.Of.Person.UUID }},
		{Attr: "course.id", ID: func(c *CompletionRow) uuid.UUID { return c.Of.Course.UUID }},
		{Attr: "activity.id", ID: func(c *CompletionRow) uuid.UUID { return c.Activity.UUID }},
	},
}

// NewAttempts returns an empty table.
func NewAttempts() Attempts {
	return Attempts{
		ByID:     ordered.NewKeyed(func(a *attempt.State) uuid.UUID { return a.ID.UUID }, ordered.CompareIDs),
		ByNumber: ordered.NewTree(byPersonCourseNumber),
		byCourse: ordered.NewTree(func(a, b *attempt.State) int {
			return cmp.Or(ordered.CompareIDs(a.Course.UUID, b.Course.UUID), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
		}),
		CompletionsByAttempt: ordered.NewTree(byAttemptActivity),
		CompletionRows:       ordered.NewIndex(completionOrder),
		Written:              new([]*CompletionRow),
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
func byAttemptActivity(a, b *CompletionRow) int {
	return cmp.Or(ordered.CompareIDs(a.Attempt.UUID, b.Attempt.UUID), ordered.CompareIDs(a.Activity.UUID, b.Activity.UUID))
}

// Copy returns a table with the same contents that can be changed independently.
func (u Attempts) Copy() Attempts {
	return Attempts{
		u.ByID.Copy(), u.ByNumber.Copy(), u.byCourse.Copy(), u.CompletionsByAttempt.Copy(), u.CompletionRows.Copy(),
		new([]*CompletionRow),
	}
}

func (u Attempts) AddCompletion(c *CompletionRow) {
	*u.Written = append(*u.Written, c)
	u.CompletionsByAttempt.Set(c)
	u.CompletionRows.Set(c)
}

// Completion returns the completion of an activity in an attempt, and reports whether it exists.
func (u Attempts) Completion(in attempt.ID, a activity.ID) (*CompletionRow, bool) {
	return u.CompletionsByAttempt.Get(&CompletionRow{Completion: attempt.Completion{Attempt: in, Activity: a}})
}

// CompletionByKey returns the completion with the composite id key, and reports whether it exists.
func (u Attempts) CompletionByKey(key string) (*CompletionRow, bool) {
	ids := ordered.IDsIn(key)
	if len(ids) != 2 {
		return nil, false
	}
	return u.Completion(attempt.ID{UUID: ids[0]}, activity.ID{UUID: ids[1]})
}

// Set inserts a, or replaces the attempt with the same id, person, course and number.
func (u Attempts) Set(a *attempt.State) {
	u.ByID.Set(a)
	u.ByNumber.Set(a)
	u.byCourse.Set(a)
}

// Remove removes a and its completions.
func (u Attempts) Remove(a *attempt.State) {
	u.ByID.Remove(a.ID.UUID)
	u.ByNumber.Delete(a)
	u.byCourse.Delete(a)
	var done []*CompletionRow
	for c := range u.Completions(a.ID) {
		done = append(done, c)
	}
	*u.Written = append(*u.Written, done...)
	for _, c := range done {
		u.CompletionsByAttempt.Delete(c)
		u.CompletionRows.Remove(c)
	}
}

// Latest returns the attempt with the highest number of a person in a course, and reports whether
// there is one.
func (u Attempts) Latest(p person.ID, c course.ID) (last *attempt.State, ok bool) {
	end := &attempt.State{Person: p, Course: c, Number: math.MaxInt}
	u.ByNumber.Descend(end, func(a *attempt.State) bool {
		last, ok = a, a.Person == p && a.Course == c
		return false
	})
	return last, ok
}

// OfPersonInCourse yields the attempts of a person at a course, ordered by number.
func (u Attempts) OfPersonInCourse(p person.ID, c course.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Person: p, Course: c, Number: math.MinInt}
		u.ByNumber.Ascend(start, func(a *attempt.State) bool {
			return a.Person == p && a.Course == c && yield(a)
		})
	}
}

// OfPerson yields the attempts of a person.
func (u Attempts) OfPerson(p person.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Person: p, Number: math.MinInt} // the zero course sorts first
		u.ByNumber.Ascend(start, func(a *attempt.State) bool { return a.Person == p && yield(a) })
	}
}

// OfCourse yields the attempts of all people at a course.
func (u Attempts) OfCourse(c course.ID) iter.Seq[*attempt.State] {
	return func(yield func(*attempt.State) bool) {
		start := &attempt.State{Course: c} // the zero id sorts first
		u.byCourse.Ascend(start, func(a *attempt.State) bool { return a.Course == c && yield(a) })
	}
}

// Completions yields the completions of an attempt.
func (u Attempts) Completions(id attempt.ID) iter.Seq[*CompletionRow] {
	return func(yield func(*CompletionRow) bool) {
		start := &CompletionRow{Completion: attempt.Completion{Attempt: id}} // the zero activity sorts first
		u.CompletionsByAttempt.Ascend(start, func(c *CompletionRow) bool { return c.Attempt == id && yield(c) })
	}
}
