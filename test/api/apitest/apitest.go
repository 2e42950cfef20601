// Package apitest tests the whole API over HTTP, as clients use it, on any store. Every response of
// every test is checked for the properties that all responses share (see check), and is compared
// with the description of the API. Golden files in testdata contain one example of each document.
package apitest

import (
	"net/http"
	"testing"

	"lyceum/ports"
	"lyceum/test/kit/stores"
)

// Backend is a store from which the API is served. It must be empty.
type Backend struct {
	stores.Backend
	// Second is the same store, opened by another instance of the server. It is nil if only one
	// process can use the store.
	Second ports.Store
	// wrap returns a handler that is served instead of the API's handler. If wrap is nil, the API's
	// handler is served.
	wrap func(http.Handler) http.Handler
}

// Run tests the API on a store. Each call of open must return an empty store. open must fail the
// test on an error, and register the cleanup of the store with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	run(t, open, []part{
		{"Golden", golden},
		{"Authentication", authentication},
		{"LearnerTokens", learnerTokens},
		{"School", schoolAPI},
		{"Keys", apiKeys},
		{"Idempotency", idempotency},
		{"Conditions", conditions},
		{"Pages", pages},
		{"LinkTraversal", linkTraversal},
		{"Cursors", cursors},
		{"ConcurrentPaging", concurrentPaging},
		{"Bytes", listDigests},
		{"Filters", filters},
		{"Parameters", parameters},
		{"Properties", properties},
		{"PropertyValues", propertyValues},
		{"PropertyLists", propertyLists},
		{"Categories", categories},
		{"Coupons", coupons},
		{"CouponChanges", couponChanges},
		{"CouponCreation", couponCreation},
		{"Redemptions", redemptions},
		{"Changes", changes},
		{"AuditTrail", auditTrail},
		{"Webhooks", webhooks},
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
		{"BulkProperties", bulkProperties},
		{"Relationships", relationships},
		{"Enrollments", enrollments},
		{"JoiningGroups", joining},
		{"Activities", activities},
		{"Structures", structures},
		{"QuizChanges", quizChanges},
		{"Submissions", submissions},
		{"Downloads", submissionDownloads},
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
		{"Compression", compression},
		{"CSVLists", csvLists},
		{"Include", include},
		{"Fieldsets", fieldsets},
		{"VersionParity", versionParity},
		{"Documents", documents},
		{"Limits", limits},
		{"Isolation", isolation},
		{"Health", healthPaths},
		{"HostileRequests", hostileRequests},
	})
}

// RunTransport tests what is the same on every store, because the server decides it before or after
// it uses the store.
func RunTransport(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	run(t, open, []part{
		{"Scopes", scopes},
		{"Routes", routes},
		{"Description", description},
		{"Home", home},
		{"Reference", referencePage},
		{"Methods", methods},
		{"Paths", paths},
		{"Negotiation", negotiation},
		{"Headers", headers},
	})
}

// part is a part of the suite. Each part has a server of its own.
type part struct {
	name string
	run  func(t *testing.T, s *server)
}

func run(t *testing.T, open func(t *testing.T) Backend, parts []part) {
	t.Helper()
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) { p.run(t, start(t, open(t))) })
	}
}
