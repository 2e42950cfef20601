// Package storetest is the conformance suite of the ports: what a store must do
// to be one. Each adapter's test calls Run, and says no more.
//
// There is a file for each port, and in it a test for each sentence of the
// port's comments; further files hold what concerns all ports: transactions,
// locks, isolation of the schools, races, cancellation, and lists, which are
// compared with the plain evaluation of package query. Every test makes a
// school of its own, beside a neighbour full of similar rows, so that all of
// them can share one database.
//
// A new port needs: a file with its tests, a line in one of the lists of verbs
// for each method, and, when it lists, a case among listCases and a member of
// everything. Run fails while one is missing.
package storetest

import (
	"testing"

	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Backend is one store to be tested: the records of the schools, the schools
// themselves, and the queue of their jobs, kept in the same place.
type Backend struct {
	Store   ports.Store
	Schools ports.Schools
	Queue   ports.Queue
	Loader  ports.Loader
	// Damage makes a derived value wrong in all records of a school. It fails the
	// test if it cannot.
	Damage func(t *testing.T, s school.ID, d Damage)
	// Computed are the derived values that the store computes when they are read. All
	// others must be damaged and reconciled.
	Computed []reconcile.Value
	// Run starts a run of a server with that name, whose store is of the same place if
	// the store outlasts a run. kill ends the run.
	Run func(t *testing.T, name string) (run Backend, kill func())
	// Serial says that the transactions of a school run one after the other.
	// Then each waits for all before it, which are short, and the promises on
	// who waits for whom follow.
	Serial bool

	otherTenant tenant // of all tests of a part
}

// Run tests a store. open is called once for each part of the suite and may
// return the same store every time; it fails the test when it cannot, and cleans
// up by t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	// Without a neighbour, whose records need every port, and first: what is
	// missing is named before anything falls over it.
	if !t.Run("Complete", func(t *testing.T) { complete(t, open(t)) }) {
		return
	}
	parts := []struct {
		name string
		run  func(t *testing.T, b Backend)
	}{
		{"Schools", schools},
		{"School", schoolReader},
		{"Keys", apiKeys},
		{"Idempotency", idempotencyRepo},
		{"Deliveries", deliveries},
		{"Categories", categories},
		{"Coupons", coupons},
		{"Redemptions", redemptions},
		{"Invitations", invitations},
		{"Courses", courses},
		{"CourseChanges", courseChanges},
		{"CourseRemoval", courseRemoval},
		{"People", people},
		{"Partnerships", partnerships},
		{"Enrollments", enrollments},
		{"Groups", groups},
		{"GroupCourses", groupCourses},
		{"Memberships", memberships},
		{"Bulk", bulkJobs},
		{"Lookups", lookups},
		{"PeopleAddIfAbsent", peopleAddIfAbsent},
		{"StoreAddPerson", storeAddPerson},
		{"Activities", activities},
		{"Structures", structures},
		{"StructureLocks", structureLocks},
		{"StructureRaces", structureRaces},
		{"Quizzes", quizzes},
		{"Assignments", assignments},
		{"Submissions", submissions},
		{"Attempts", attempts},
		{"QuizAttempts", quizAttempts},
		{"QuizScores", quizScores},
		{"RawAnswers", rawAnswers},
		{"QuestionNumbers", questionNumbers},
		{"CourseAnalytics", courseAnalytics},
		{"Events", events},
		{"EventClientData", eventClientData},
		{"EventFeed", eventFeed},
		{"LearningBatches", learningBatches},
		{"LearningLists", learningLists},
		{"Deletion", deletion},
		{"Reconciler", reconciler},
		{"Reconcile", repair},
		{"BulkLoads", bulkLoads},
		{"NewSchoolLoads", newSchoolLoads},
		{"Snapshots", snapshots},
		{"Jobs", jobs},
		{"QueueLease", queueLease},
		{"QueueRelease", queueRelease},
		{"QueueOutcomes", queueOutcomes},
		{"QueueRetry", queueRetry},
		{"QueueBacklog", queueBacklog},
		{"QueueSubscribe", queueSubscribe},
		{"Counts", counts},
		{"GroupCounts", groupCounts},
		{"Lists", lists},
		{"Differential", differential},
		{"Store", store},
		{"Transactions", transactions},
		{"Locks", locks},
		{"CouponLocks", couponLocks},
		{"CourseLocks", courseLocks},
		{"GroupLocks", groupLocks},
		{"LearningLocks", learningLocks},
		{"Isolation", isolation},
		{"Copies", copies},
		{"RoundTrip", roundTrip},
		{"Cancellation", cancellation},
		{"Races", races},
		{"GroupRaces", groupRaces},
		{"BulkRaces", bulkRaces},
		{"RedemptionRaces", redemptionRaces},
		{"LearningRaces", learningRaces},
		{"CourseRaces", courseRaces},
	}
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel() // each part opens a store of its own
			b := open(t)
			b.otherTenant = newOtherTenant(t, b)
			part.run(t, b)
		})
	}
}
