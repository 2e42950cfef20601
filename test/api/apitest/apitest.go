// Package apitest tests the whole API over HTTP, as clients use it, on any store. It lists the
// parts of the suite, which are functions of the packages below. Package fixture checks every
// response of every test for the properties that all responses share, and compares it with the
// description of the API. Golden files in testdata contain one example of each document.
package apitest

import (
	"testing"

	"lyceum/test/api/apitest/administration"
	"lyceum/test/api/apitest/catalog"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/golden"
	"lyceum/test/api/apitest/learning"
	"lyceum/test/api/apitest/lists"
	"lyceum/test/api/apitest/people"
	"lyceum/test/api/apitest/properties"
	"lyceum/test/api/apitest/protocol"
)

// Run tests the API on a store. Each call of open must return an empty store. open must fail the
// test on an error, and register the cleanup of the store with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) fixture.Backend) {
	t.Helper()
	run(t, open, []part{
		{"Golden", golden.Documents},
		{"Authentication", protocol.Authentication},
		{"LearnerTokens", learning.LearnerTokens},
		{"School", administration.School},
		{"Keys", administration.Keys},
		{"Idempotency", protocol.Idempotency},
		{"Conditions", protocol.Conditions},
		{"Pages", lists.Pages},
		{"LinkTraversal", lists.LinkTraversal},
		{"Cursors", lists.Cursors},
		{"ConcurrentPaging", lists.ConcurrentPaging},
		{"Bytes", lists.Digests},
		{"Filters", lists.Filters},
		{"Parameters", lists.Parameters},
		{"Properties", properties.Definitions},
		{"PropertyValues", properties.Values},
		{"PropertyLists", properties.Lists},
		{"Categories", catalog.Categories},
		{"Coupons", catalog.Coupons},
		{"CouponChanges", catalog.CouponChanges},
		{"CouponCreation", catalog.CouponCreation},
		{"Redemptions", catalog.Redemptions},
		{"Changes", administration.Changes},
		{"AuditTrail", administration.AuditTrail},
		{"Webhooks", administration.Webhooks},
		{"Invitations", people.Invitations},
		{"Courses", catalog.Courses},
		{"CourseWrites", catalog.CourseWrites},
		{"CourseRelationships", catalog.CourseRelationships},
		{"CourseDeletion", catalog.CourseDeletion},
		{"Partnerships", people.Partnerships},
		{"People", people.V1},
		{"PeopleV2", people.V2},
		{"Learners", people.Learners},
		{"AcceptedDocuments", protocol.AcceptedDocuments},
		{"Groups", people.Groups},
		{"Memberships", people.Memberships},
		{"Bulk", people.BulkRequests},
		{"RejectedBulkRequests", people.RejectedBulkRequests},
		{"BulkRows", people.BulkRows},
		{"BulkProperties", properties.Bulk},
		{"Relationships", people.Relationships},
		{"Enrollments", people.Enrollments},
		{"JoiningGroups", people.JoiningGroups},
		{"Activities", learning.Activities},
		{"Structures", catalog.Structures},
		{"QuizChanges", catalog.QuizChanges},
		{"Submissions", learning.Submissions},
		{"Downloads", learning.Downloads},
		{"LearningLists", learning.LearningLists},
		{"Events", learning.Events},
		{"EventReports", learning.EventReports},
		{"Completions", learning.Completions},
		{"Answers", learning.Answers},
		{"Attempts", learning.Attempts},
		{"SubmissionUploads", learning.SubmissionUploads},
		{"RejectedUploads", learning.RejectedUploads},
		{"BidiControls", protocol.BidiControls},
		{"Quotas", administration.Quotas},
		{"SubmissionRetries", learning.SubmissionRetries},
		{"PersonDeletion", learning.PersonDeletion},
		{"Export", administration.Export},
		{"Compression", protocol.Compression},
		{"CSVLists", lists.CSV},
		{"Include", lists.Include},
		{"Fieldsets", lists.Fieldsets},
		{"VersionParity", protocol.VersionParity},
		{"Documents", protocol.Documents},
		{"Limits", protocol.Limits},
		{"Isolation", protocol.Isolation},
		{"Health", protocol.Health},
		{"HostileRequests", protocol.HostileRequests},
	})
}

// RunTransport tests what is the same on every store, because the server decides it before or after
// it uses the store.
func RunTransport(t *testing.T, open func(t *testing.T) fixture.Backend) {
	t.Helper()
	run(t, open, []part{
		{"Scopes", protocol.Scopes},
		{"Routes", protocol.Routes},
		{"Description", protocol.Description},
		{"Home", protocol.Home},
		{"Reference", protocol.Reference},
		{"Methods", protocol.Methods},
		{"Paths", protocol.Paths},
		{"Negotiation", protocol.Negotiation},
		{"Headers", protocol.Headers},
	})
}

// part is a part of the suite. Each part has a server of its own.
type part struct {
	name string
	run  func(t *testing.T, s *fixture.Server)
}

func run(t *testing.T, open func(t *testing.T) fixture.Backend, parts []part) {
	t.Helper()
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) { p.run(t, fixture.Start(t, open(t))) })
	}
}
