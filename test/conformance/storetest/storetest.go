// Package storetest is the conformance suite of the ports: it tests the behavior that every store
// must have. The test of each adapter only calls Run.
//
// Each port has a file with a test for each sentence of its comments. Other files test the
// properties that all ports share: transactions, locks, isolation of schools, races, cancellation,
// and lists, whose results are compared with the evaluation by package query. Every test creates
// its own school, in addition to another tenant with similar records, so all tests can share one
// database.
//
// A new port needs a file with its tests, an entry in portMethods for each method and, if it has a
// list, an entry in listCases and a field of everything. Without these, Run fails.
package storetest

import (
	"testing"

	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Backend is a store to test. All its ports use the same storage.
type Backend struct {
	Store   ports.Store
	Schools ports.Schools
	Queue   ports.Queue
	Loader  ports.Loader
	// Damage causes an error in a derived value of all records of a school. It fails the test if it
	// cannot cause the error.
	Damage func(t *testing.T, s school.ID, d Damage)
	// Computed contains the derived values that the store computes when they are read. The suite
	// damages and reconciles all other values.
	Computed []reconcile.Value
	// Run starts a run of a server with the given name. If the storage survives the end of a run,
	// all runs must use the same storage. kill ends the run.
	Run func(t *testing.T, name string) (run Backend, kill func())
	// Serial is true if the transactions of a school run one after another. Then each transaction
	// waits for all earlier transactions, and the tests of concurrency do not apply.
	Serial bool

	otherTenant tenant // all tests of a part share this tenant
}

// Run tests a store. It calls open once for each part of the suite; open may return the same store
// each time. open must fail the test on an error, and register the cleanup of the store with
// t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	// This part runs first, and without another tenant, because the records of a tenant need every
	// port. It reports what is missing before other parts fail.
	if !t.Run("Complete", func(t *testing.T) { complete(t, open(t)) }) {
		return
	}
	parts := []struct {
		name string
		run  func(t *testing.T, b Backend)
	}{
		{"Schools", schools},
		{"SchoolNames", schoolNames},
		{"SchoolDeletion", schoolDeletion},
		{"School", schoolReader},
		{"Keys", apiKeys},
		{"Idempotency", idempotencyRepo},
		{"Deliveries", deliveries},
		{"Sessions", sessions},
		{"SignInLinks", signInLinks},
		{"Properties", properties},
		{"PropertyValues", propertyValues},
		{"Categories", categories},
		{"Statistics", statistics},
		{"StatisticsOfAttempts", statisticsOfAttempts},
		{"Coupons", coupons},
		{"Redemptions", redemptions},
		{"Invitations", invitations},
		{"Tokens", tokens},
		{"Courses", courses},
		{"CourseChanges", courseChanges},
		{"CourseRemoval", courseRemoval},
		{"People", people},
		{"Audiences", audiences},
		{"Partnerships", partnerships},
		{"Enrollments", enrollments},
		{"Groups", groups},
		{"GroupCourses", groupCourses},
		{"Memberships", memberships},
		{"Bulk", bulkJobs},
		{"BulkWaiting", bulkWaiting},
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
		{"Changes", changes},
		{"ChangeFeed", changeFeed},
		{"AuditTrail", auditTrail},
		{"Followers", follow},
		{"Webhooks", webhooks},
		{"Retention", retention},
		{"LearningBatches", learningBatches},
		{"LearningLists", learningLists},
		{"Deletion", deletion},
		{"LimitedDeletions", limitedDeletions},
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
		{"PropertyLocks", propertyLocks},
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
		{"BulkWaitingRaces", bulkWaitingRaces},
		{"RedemptionRaces", redemptionRaces},
		{"LearningRaces", learningRaces},
		{"CourseRaces", courseRaces},
	}
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			if part.name != "Retention" {
				t.Parallel() // each part opens its own store
			}
			part.run(t, withOtherTenant(t, open(t)))
		})
	}
}
