// Package apitest tests the API as clients see it: whole, over HTTP, on any
// store. Every answer of every test goes through check, which knows what all
// answers have in common, and is compared with the API's own description; golden
// files in testdata hold each document.
package apitest

import (
	"net/http"
	"testing"

	"lyceum/ports"
)

// Backend is one store to serve the API from, which must be empty.
type Backend struct {
	Store   ports.Store
	Schools ports.Schools
	Queue   ports.Queue
	// Second is the same store as another instance of the server reaches it; nil
	// when one process alone can.
	Second ports.Store
	// wrap, if it is there, returns what serves the API in the place of the handler.
	wrap func(http.Handler) http.Handler
}

// Run tests the API on a store. open returns an empty one each time; it fails
// the test when it cannot, and cleans up by t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	parts := []struct {
		name string
		run  func(t *testing.T, s *server)
	}{
		{"Golden", golden},
		{"Authentication", authentication},
		{"Scopes", scopes},
		{"School", schoolAPI},
		{"Keys", apiKeys},
		{"Idempotency", idempotency},
		{"Routes", routes},
		{"Description", description},
		{"Reference", referencePage},
		{"Methods", methods},
		{"Paths", paths},
		{"Negotiation", negotiation},
		{"Headers", headers},
		{"Conditions", conditions},
		{"Pages", pages},
		{"LinkTraversal", linkTraversal},
		{"Cursors", cursors},
		{"ConcurrentPaging", concurrentPaging},
		{"Bytes", listDigests},
		{"Filters", filters},
		{"Parameters", parameters},
		{"Categories", categories},
		{"Coupons", coupons},
		{"CouponChanges", couponChanges},
		{"CouponCreation", couponCreation},
		{"Redemptions", redemptions},
		{"Invitations", invitations},
		{"Courses", courses},
		{"CourseWrites", courseWrites},
		{"CourseRelationships", courseRelationships},
		{"CourseDeletion", courseDeletion},
		{"Partnerships", partnerships},
		{"People", people},
		{"PeopleV2", peopleV2},
		{"Learners", learners},
		{"AcceptedDocuments", acceptedDocuments},
		{"Groups", groups},
		{"Memberships", memberships},
		{"Bulk", bulkRequests},
		{"RejectedBulkRequests", rejectedBulkRequests},
		{"BulkRows", bulkRows},
		{"Relationships", relationships},
		{"Enrollments", enrollments},
		{"JoiningGroups", joining},
		{"Activities", activities},
		{"Structures", structures},
		{"QuizChanges", quizChanges},
		{"Submissions", submissions},
		{"Downloads", downloads},
		{"LearningLists", learningLists},
		{"Events", events},
		{"EventReports", eventReports},
		{"Completions", completions},
		{"Answers", answers},
		{"Attempts", attempts},
		{"SubmissionUploads", submissionUploads},
		{"RejectedUploads", rejectedUploads},
		{"BidiControls", bidiControls},
		{"Quotas", quotas},
		{"SubmissionRetries", submissionRetries},
		{"PersonDeletion", personDeletion},
		{"Export", schoolExport},
		{"VersionParity", versionParity},
		{"Documents", documents},
		{"Limits", limits},
		{"Isolation", isolation},
		{"Health", healthPaths},
		{"HostileRequests", hostileRequests},
	}
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) { p.run(t, start(t, open(t))) })
	}
}
