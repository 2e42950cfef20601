package memory

import (
	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/invitation"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// state is a school with all its records at one moment. Once published it never
// changes; next is what a transaction works on.
type state struct {
	version      uint64 // counts the transactions
	school       school.School
	keys         cell[ordered.Dict[uuid.UUID, *school.Key]] // keys are replaced, never changed
	categories   cell[*ordered.Table[category.State]]
	coupons      cell[*ordered.Table[coupon.State]]
	redemptions  cell[redeemed]
	courses      cell[*ordered.Table[course.Summary]]
	removals     cell[ordered.Dict[uuid.UUID, []submission.ID]] // submissions of courses whose removal has begun
	people       cell[*ordered.Table[person.Summary]]
	partnerships cell[*ordered.Table[person.Partnership]]
	enrollments  cell[roll]
	groups       cell[*ordered.Table[group.Summary]]
	groupCourses cell[ordered.Tree[groupCourse]]
	memberships  cell[*ordered.Table[membership.Membership]]
	seats        cell[ordered.Tree[*membership.Membership]] // the memberships, by compareSeats
	bulkJobs     cell[ordered.Dict[uuid.UUID, bulkJob]]
	bulkParts    cell[ordered.Dict[uuid.UUID, bulkPart]]
	activities   cell[*ordered.Table[activity.State]]
	quizzes      cell[*ordered.Table[quiz.Summary]]
	questions    cell[ordered.Dict[uuid.UUID, questions]] // of the quizzes, by their ids
	assignments  cell[*ordered.Table[assignment.State]]
	submissions  cell[handedIn]
	attempts     cell[runs]
	quizAttempts cell[quizRuns]
	feed         cell[*feed]
	invited      cell[ordered.Dict[uuid.UUID, invited]]               // by the person
	links        cell[ordered.Dict[invitation.Hash, invitation.Link]] // to the invitations
	replays      cell[remembered]
	day          invitation.Day
	deliveries   cell[ordered.Dict[invitation.Address, invitation.Delivery]]

	courseAnalytics cell[ordered.Index[*courseRow]]
	scores          cell[scores]
	rawAnswers      cell[ordered.Index[*givenAnswer]]
}

func newState(s school.School) *state {
	return &state{
		school:       s,
		keys:         newCell(ordered.NewDict[uuid.UUID, *school.Key](ordered.CompareIDs)),
		categories:   newCell(ordered.NewTable(categoryKind)),
		coupons:      newCell(ordered.NewTable(couponKind)),
		redemptions:  newCell(newRedeemed()),
		courses:      newCell(ordered.NewTable(courseKind)),
		removals:     newCell(ordered.NewDict[uuid.UUID, []submission.ID](ordered.CompareIDs)),
		people:       newCell(ordered.NewTable(personKind)),
		partnerships: newCell(ordered.NewTable(partnershipKind)),
		enrollments:  newCell(newRoll()),
		groups:       newCell(ordered.NewTable(groupKind)),
		groupCourses: newCell(ordered.NewTree(compareGroupCourses)),
		memberships:  newCell(ordered.NewTable(membershipKind)),
		seats:        newCell(ordered.NewTree(compareSeats)),
		bulkJobs:     newCell(ordered.NewDict[uuid.UUID, bulkJob](ordered.CompareIDs)),
		bulkParts:    newCell(ordered.NewDict[uuid.UUID, bulkPart](ordered.CompareIDs)),
		activities:   newCell(ordered.NewTable(activityKind)),
		quizzes:      newCell(ordered.NewTable(quizKind)),
		questions:    newCell(ordered.NewDict[uuid.UUID, questions](ordered.CompareIDs)),
		assignments:  newCell(ordered.NewTable(assignmentKind)),
		submissions:  newCell(newHandedIn()),
		attempts:     newCell(newRuns()),
		quizAttempts: newCell(newQuizRuns()),
		feed:         newCell(newFeed()),
		invited:      newCell(ordered.NewDict[uuid.UUID, invited](ordered.CompareIDs)),
		links:        newCell(ordered.NewDict[invitation.Hash, invitation.Link](compareHashes)),
		replays:      newCell(newRemembered()),
		deliveries:   newCell(ordered.NewDict[invitation.Address, invitation.Delivery](compareAddresses)),

		courseAnalytics: newCell(ordered.NewIndex(courseRowOrder)),
		scores:          newCell(newScores()),
		rawAnswers:      newCell(ordered.NewIndex(answerOrder)),
	}
}

// next returns the state that follows s; it shares every table with s until it
// writes to it.
func (s *state) next() *state {
	n := *s
	n.version++
	return &n
}

// cell is the place of a table in a state.
type cell[T interface{ Copy() T }] struct {
	table   T      // to read from
	version uint64 // of the state that the table was made for
}

func newCell[T interface{ Copy() T }](table T) cell[T] { return cell[T]{table: table} }

// own returns the table for the state with that version to write to. A table
// that an earlier state made is copied first: readers may be at it.
func (c *cell[T]) own(version uint64) T {
	if c.version != version {
		c.table, c.version = c.table.Copy(), version
	}
	return c.table
}
