// Package storetest is the conformance suite of the ports: it tests the behavior that every store
// must have. The test of each adapter only calls Run.
//
// The packages below this one contain the tests. Each port has a file with a test for each sentence
// of its comments. The packages methods, lists and counts test the properties that ports share:
// transactions, locks, isolation of schools, cancellation, lists and counts. Every test creates its
// own school, in addition to another tenant with similar records, so all tests can share one
// database.
//
// A new port needs a file with its tests, an entry in methods.portMethods for each method and, if
// it has a list, an entry in lists.Cases and a field of fixture.Everything. Without these, Run
// fails.
package storetest

import (
	"testing"

	"lyceum/test/conformance/storetest/changes"
	"lyceum/test/conformance/storetest/counts"
	"lyceum/test/conformance/storetest/courses"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/groups"
	"lyceum/test/conformance/storetest/jobs"
	"lyceum/test/conformance/storetest/learning"
	"lyceum/test/conformance/storetest/lists"
	"lyceum/test/conformance/storetest/methods"
	"lyceum/test/conformance/storetest/people"
	"lyceum/test/conformance/storetest/schools"
	"lyceum/test/conformance/storetest/transfer"
)

// Backend is a store to test. All its ports use the same storage.
type Backend = fixture.Backend

// Damage is a kind of error in one derived value. Backend.Damage causes it in all records of a
// school that have the value.
type Damage = fixture.Damage

// The kinds of errors that Backend.Damage can cause; package fixture describes them.
const (
	Wrong   = fixture.Wrong
	Missing = fixture.Missing
	Stray   = fixture.Stray
)

// Run tests a store. It calls open once for each part of the suite; open may return the same store
// each time. open must fail the test on an error, and register the cleanup of the store with
// t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	// This part runs first, and without another tenant, because the records of a tenant need every
	// port. It reports what is missing before other parts fail.
	if !t.Run("Complete", func(t *testing.T) { methods.Complete(t, open(t)) }) {
		return
	}
	parts := []struct {
		name string
		run  func(t *testing.T, b Backend)
	}{
		{"Schools", schools.Schools},
		{"SchoolNames", schools.Names},
		{"SchoolDeletion", schools.Deletion},
		{"School", schools.Reader},
		{"Keys", schools.Keys},
		{"Idempotency", schools.Idempotency},
		{"Deliveries", schools.Deliveries},
		{"Sessions", people.Sessions},
		{"SignInLinks", people.SignInLinks},
		{"Properties", people.Properties},
		{"PropertyValues", people.PropertyValues},
		{"Categories", courses.Categories},
		{"Statistics", learning.Statistics},
		{"StatisticsOfAttempts", learning.StatisticsOfAttempts},
		{"Coupons", courses.Coupons},
		{"Redemptions", courses.Redemptions},
		{"Invitations", people.Invitations},
		{"Tokens", people.Tokens},
		{"Courses", courses.Courses},
		{"CourseChanges", courses.CourseChanges},
		{"CourseRemoval", courses.CourseRemoval},
		{"People", people.People},
		{"Audiences", people.Audiences},
		{"Partnerships", people.Partnerships},
		{"Enrollments", learning.Enrollments},
		{"Groups", groups.Groups},
		{"GroupCourses", groups.Courses},
		{"Memberships", groups.Memberships},
		{"Bulk", jobs.BulkJobs},
		{"BulkWaiting", jobs.BulkWaiting},
		{"Lookups", people.Lookups},
		{"PeopleAddIfAbsent", people.AddIfAbsent},
		{"StoreAddPerson", people.AddPerson},
		{"Activities", courses.Activities},
		{"Structures", courses.Structures},
		{"StructureLocks", courses.StructureLocks},
		{"StructureRaces", courses.StructureRaces},
		{"Quizzes", courses.Quizzes},
		{"Assignments", courses.Assignments},
		{"Submissions", learning.Submissions},
		{"Attempts", learning.Attempts},
		{"QuizAttempts", learning.QuizAttempts},
		{"QuizScores", learning.QuizScores},
		{"RawAnswers", learning.RawAnswers},
		{"QuestionNumbers", courses.QuestionNumbers},
		{"CourseAnalytics", learning.CourseAnalytics},
		{"Events", learning.Events},
		{"EventClientData", learning.EventClientData},
		{"EventFeed", learning.EventFeed},
		{"Changes", changes.Changes},
		{"ChangeFeed", changes.ChangeFeed},
		{"AuditTrail", changes.AuditTrail},
		{"Followers", changes.Followers},
		{"Webhooks", changes.Webhooks},
		{"Retention", changes.Retention},
		{"LearningBatches", learning.Batches},
		{"LearningLists", lists.Learning},
		{"Deletion", people.Deletion},
		{"LimitedDeletions", people.LimitedDeletions},
		{"Reconciler", counts.Reconciler},
		{"Reconcile", counts.Repair},
		{"BulkLoads", transfer.BulkLoads},
		{"NewSchoolLoads", transfer.NewSchoolLoads},
		{"Snapshots", transfer.Snapshots},
		{"Jobs", jobs.Jobs},
		{"QueueLease", jobs.QueueLease},
		{"QueueRelease", jobs.QueueRelease},
		{"QueueOutcomes", jobs.QueueOutcomes},
		{"QueueRetry", jobs.QueueRetry},
		{"QueueBacklog", jobs.QueueBacklog},
		{"QueueSubscribe", jobs.QueueSubscribe},
		{"Counts", counts.Counts},
		{"GroupCounts", counts.GroupCounts},
		{"Lists", lists.Lists},
		{"Differential", lists.Differential},
		{"Store", methods.Store},
		{"Transactions", methods.Transactions},
		{"Locks", methods.Locks},
		{"CouponLocks", courses.CouponLocks},
		{"PropertyLocks", people.PropertyLocks},
		{"CourseLocks", courses.CourseLocks},
		{"GroupLocks", groups.Locks},
		{"LearningLocks", learning.Locks},
		{"Isolation", methods.Isolation},
		{"Copies", transfer.Copies},
		{"RoundTrip", transfer.RoundTrip},
		{"Cancellation", methods.Cancellation},
		{"Races", counts.Races},
		{"GroupRaces", counts.GroupRaces},
		{"BulkRaces", jobs.BulkRaces},
		{"BulkWaitingRaces", jobs.BulkWaitingRaces},
		{"RedemptionRaces", courses.RedemptionRaces},
		{"LearningRaces", learning.Races},
		{"CourseRaces", courses.CourseRaces},
	}
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			if part.name != "Retention" {
				t.Parallel() // each part opens its own store
			}
			part.run(t, fixture.WithOtherTenant(t, open(t)))
		})
	}
}
