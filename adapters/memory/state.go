package memory

import (
	"github.com/google/uuid"
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
	keys         cell[dict[uuid.UUID, *school.Key]] // keys are replaced, never changed
	categories   cell[*table[category.State]]
	coupons      cell[*table[coupon.State]]
	redemptions  cell[redeemed]
	courses      cell[*table[course.Summary]]
	removals     cell[dict[uuid.UUID, []submission.ID]] // submissions of courses whose removal has begun
	people       cell[*table[person.Summary]]
	partnerships cell[*table[person.Partnership]]
	enrollments  cell[roll]
	groups       cell[*table[group.Summary]]
	groupCourses cell[sorted[groupCourse]]
	memberships  cell[*table[membership.Membership]]
	seats        cell[sorted[*membership.Membership]] // the memberships, by compareSeats
	bulkJobs     cell[dict[uuid.UUID, bulkJob]]
	bulkParts    cell[dict[uuid.UUID, bulkPart]]
	activities   cell[*table[activity.State]]
	quizzes      cell[*table[quiz.Summary]]
	questions    cell[dict[uuid.UUID, questions]] // of the quizzes, by their ids
	assignments  cell[*table[assignment.State]]
	submissions  cell[handedIn]
	attempts     cell[runs]
	quizAttempts cell[quizRuns]
	feed         cell[*feed]
	invited      cell[dict[uuid.UUID, invited]]               // by the person
	links        cell[dict[invitation.Hash, invitation.Link]] // to the invitations
	replays      cell[remembered]
	day          invitation.Day
	deliveries   cell[dict[invitation.Address, invitation.Delivery]]

	courseAnalytics cell[index[*courseRow]]
	scores          cell[scores]
	rawAnswers      cell[index[*givenAnswer]]
}

func newState(s school.School) *state {
	return &state{
		school:       s,
		keys:         newCell(newDict[uuid.UUID, *school.Key](compareIDs)),
		categories:   newCell(newTable(categoryKind)),
		coupons:      newCell(newTable(couponKind)),
		redemptions:  newCell(newRedeemed()),
		courses:      newCell(newTable(courseKind)),
		removals:     newCell(newDict[uuid.UUID, []submission.ID](compareIDs)),
		people:       newCell(newTable(personKind)),
		partnerships: newCell(newTable(partnershipKind)),
		enrollments:  newCell(newRoll()),
		groups:       newCell(newTable(groupKind)),
		groupCourses: newCell(newTree(compareGroupCourses)),
		memberships:  newCell(newTable(membershipKind)),
		seats:        newCell(newTree(compareSeats)),
		bulkJobs:     newCell(newDict[uuid.UUID, bulkJob](compareIDs)),
		bulkParts:    newCell(newDict[uuid.UUID, bulkPart](compareIDs)),
		activities:   newCell(newTable(activityKind)),
		quizzes:      newCell(newTable(quizKind)),
		questions:    newCell(newDict[uuid.UUID, questions](compareIDs)),
		assignments:  newCell(newTable(assignmentKind)),
		submissions:  newCell(newHandedIn()),
		attempts:     newCell(newRuns()),
		quizAttempts: newCell(newQuizRuns()),
		feed:         newCell(newFeed()),
		invited:      newCell(newDict[uuid.UUID, invited](compareIDs)),
		links:        newCell(newDict[invitation.Hash, invitation.Link](compareHashes)),
		replays:      newCell(newRemembered()),
		deliveries:   newCell(newDict[invitation.Address, invitation.Delivery](compareAddresses)),

		courseAnalytics: newCell(newIndex(courseRowOrder)),
		scores:          newCell(newScores()),
		rawAnswers:      newCell(newIndex(answerOrder)),
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
