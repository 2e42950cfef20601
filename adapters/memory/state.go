package memory

import (
	"strings"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/invitation"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/domain/token"
)

// state is a school with all its records. A published state is immutable; a transaction works
// on the copy that next returns.
type state struct {
	version      uint64 // larger for each transaction, and for each origin within it
	school       school.School
	keys         versioned[ordered.Dict[uuid.UUID, *school.Key]] // keys are immutable
	properties   versioned[*ordered.Table[property.State]]       // definitions of properties
	categories   versioned[*ordered.Table[category.State]]
	coupons      versioned[*ordered.Table[coupon.State]]
	redemptions  versioned[ordered.Records[*redemption.Redemption]]
	courses      versioned[*ordered.Table[course.Summary]]
	removals     versioned[ordered.Dict[uuid.UUID, []submission.ID]] // submissions of courses in removal
	people       versioned[*ordered.Table[person.Summary]]
	partnerships versioned[*ordered.Table[person.Partnership]]
	enrollments  versioned[tables.Roles[tables.Enrollment]]
	groups       versioned[*ordered.Table[group.Summary]]
	groupCourses versioned[ordered.Tree[groupCourse]]
	memberships  versioned[tables.Roles[membership.Membership]]
	bulkJobs     versioned[ordered.Dict[uuid.UUID, bulkJob]]
	bulkParts    versioned[ordered.Dict[uuid.UUID, waitingPart]]    // unfinished parts
	bulkOutcomes versioned[ordered.Dict[uuid.UUID, tables.Outcome]] // outcomes of finished parts, by part
	activities   versioned[*ordered.Table[activity.State]]
	quizzes      versioned[*ordered.Table[quiz.Summary]]
	questions    versioned[ordered.Dict[uuid.UUID, questions]] // questions by quiz
	assignments  versioned[*ordered.Table[assignment.State]]
	submissions  versioned[ordered.Records[*submission.Submission]]
	attempts     versioned[tables.Attempts]
	quizAttempts versioned[tables.QuizAttempts]
	feed         versioned[*feed]
	invitations  versioned[ordered.Dict[uuid.UUID, invitationRow]]         // invitations by person
	links        versioned[ordered.Dict[invitation.Hash, invitation.Link]] // links of the invitations
	signIns      versioned[*signInTable]
	tokens       versioned[ordered.Dict[token.Hash, token.Token]]
	personTokens versioned[ordered.Dict[uuid.UUID, []token.Hash]] // hashes of the tokens by person
	responses    versioned[responseTable]
	day          invitation.Day
	deliveries   versioned[ordered.Dict[invitation.Address, invitation.Delivery]]
	webhooks     versioned[*tables.Webhooks]
	followers    versioned[ordered.Dict[string, change.Follower]]

	courseAnalytics versioned[ordered.Index[*tables.CourseRow]]
	scores          versioned[tables.Scores]
	rawAnswers      versioned[ordered.Index[*tables.Answer]]

	changes        versioned[*changeFeed]
	trail          versioned[*auditTrail]
	writtenAnswers []*tables.Answer // answers added and removed by the transaction
	changedGroups  []group.ID       // groups whose courses the transaction changed
}

func newState(s school.School) *state {
	return &state{
		school:       s,
		keys:         newVersioned(ordered.NewDict[uuid.UUID, *school.Key](ordered.CompareIDs)),
		properties:   newVersioned(ordered.NewTable(propertyKind)),
		categories:   newVersioned(ordered.NewTable(categoryKind)),
		coupons:      newVersioned(ordered.NewTable(couponKind)),
		redemptions:  newVersioned(newRedemptions()),
		courses:      newVersioned(ordered.NewTable(courseKind)),
		removals:     newVersioned(ordered.NewDict[uuid.UUID, []submission.ID](ordered.CompareIDs)),
		people:       newVersioned(ordered.NewTable(personKind)),
		partnerships: newVersioned(ordered.NewTable(partnershipKind)),
		enrollments:  newVersioned(newEnrollments()),
		groups:       newVersioned(ordered.NewTable(groupKind)),
		groupCourses: newVersioned(ordered.NewTree(compareGroupCourses)),
		memberships:  newVersioned(newMemberships()),
		bulkJobs:     newVersioned(ordered.NewDict[uuid.UUID, bulkJob](ordered.CompareIDs)),
		bulkParts:    newVersioned(ordered.NewDict[uuid.UUID, waitingPart](ordered.CompareIDs)),
		bulkOutcomes: newVersioned(ordered.NewDict[uuid.UUID, tables.Outcome](ordered.CompareIDs)),
		activities:   newVersioned(ordered.NewTable(activityKind)),
		quizzes:      newVersioned(ordered.NewTable(quizKind)),
		questions:    newVersioned(ordered.NewDict[uuid.UUID, questions](ordered.CompareIDs)),
		assignments:  newVersioned(ordered.NewTable(assignmentKind)),
		submissions:  newVersioned(newSubmissions()),
		attempts:     newVersioned(tables.NewAttempts()),
		quizAttempts: newVersioned(tables.NewQuizAttempts()),
		feed:         newVersioned(newFeed()),
		invitations:  newVersioned(ordered.NewDict[uuid.UUID, invitationRow](ordered.CompareIDs)),
		links:        newVersioned(ordered.NewDict[invitation.Hash, invitation.Link](compareHashes)),
		signIns:      newVersioned(newSignInTable()),
		tokens:       newVersioned(ordered.NewDict[token.Hash, token.Token](compareLearnerTokens)),
		personTokens: newVersioned(ordered.NewDict[uuid.UUID, []token.Hash](ordered.CompareIDs)),
		responses:    newVersioned(newResponseTable()),
		deliveries:   newVersioned(ordered.NewDict[invitation.Address, invitation.Delivery](compareAddresses)),
		webhooks:     newVersioned(tables.NewWebhooks()),
		followers:    newVersioned(ordered.NewDict[string, change.Follower](strings.Compare)),

		courseAnalytics: newVersioned(ordered.NewIndex(tables.CourseRowOrder)),
		scores:          newVersioned(tables.NewScores()),
		rawAnswers:      newVersioned(ordered.NewIndex(tables.AnswerOrder)),

		changes: newVersioned(newChangeFeed()),
		trail:   newVersioned(newAuditTrail()),
	}
}

// next returns a copy of s with the next version. It shares every table with s until the table
// is first written to.
func (s *state) next() *state {
	n := *s
	n.version++
	return &n
}

// versioned is a table with the version of the state that copied it.
type versioned[T interface{ Copy() T }] struct {
	table   T      // table to read from
	version uint64 // version of the state whose transaction may write to the table
}

func newVersioned[T interface{ Copy() T }](table T) versioned[T] { return versioned[T]{table: table} }

// writable returns the table for writes by the transaction whose state has the given version. A
// table of an earlier version is copied first, because readers may use it.
func (c *versioned[T]) writable(version uint64) T {
	if c.version != version {
		c.table, c.version = c.table.Copy(), version
	}
	return c.table
}
