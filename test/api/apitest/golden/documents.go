package golden

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// Documents sends requests in a fixed order, one for each operation and each form of a document,
// and compares the responses with testdata/<name>.json.
func Documents(t *testing.T, s *fixture.Server) {
	tests := []request{
		{"course_analytics_list", "GET", "/v1/analytics/courses", "", 200},
		{"course_analytics_list_included", "GET", "/v2/analytics/courses?count=true&limit=2&include=person,course.categories" +
			"&fields[course_analytics]=progress,person,course&fields[people]=full_name,email&fields[courses]=name,categories&fields[categories]=name", "", 200},
		{"course_included", "GET", "/v2/courses/drawing?include=categories,instructor_partnerships.person", "", 200},
		{"quiz_scores_list", "GET", "/v1/analytics/quiz_scores", "", 200},
		{"quiz_raw_answers_list", "GET", "/v1/analytics/quiz_raw_answers", "", 200},
		{"assignments_list", "GET", "/v1/assignments", "", 200},
		{"assignment_submissions_list", "GET", "/v2/assignments/" + records.StillLife + "/submissions", "", 200},
		{"submissions_list", "GET", "/v2/submissions", "", 200},
		{"submission", "GET", "/v2/submissions/" + records.AdasDrawing, "", 200},
		{"categories_list", "GET", "/v1/categories", "", 200},
		{"categories_list_page", "GET", "/v1/categories?filter[name][cont]=d&limit=1&q=d&page=2", "", 200},
		{"categories_list_empty", "GET", "/v1/categories?q=nothing+like+it", "", 200},
		{"category", "GET", "/v1/categories/" + records.Design, "", 200},
		{"coupons_list", "GET", "/v1/coupons", "", 200},
		{"coupon", "GET", "/v1/coupons/" + records.EarlyBird, "", 200},
		{"courses_list", "GET", "/v1/courses", "", 200},
		{"courses_list_empty", "GET", "/v1/courses?page=7", "", 200},
		{"course", "GET", "/v1/courses/drawing", "", 200},
		{"bulk_job", "GET", "/v1/bulk/jobs/" + records.BulkJob, "", 200},
		{"course_activities_list", "GET", "/v2/courses/drawing/activities", "", 200},
		{"course_structure", "GET", "/v2/courses/drawing/structure", "", 200},
		{"course_enrollments_list", "GET", "/v2/courses/" + records.Drawing + "/enrollments", "", 200},
		{"enrollment", "GET", "/v2/enrollments/" + records.AdaInSinging, "", 200},
		{"activities_list", "GET", "/v2/activities?limit=3&page=2", "", 200},
		{"activity", "GET", "/v2/activities/" + records.Look, "", 200},
		{"groups_list", "GET", "/v1/groups", "", 200},
		{"group", "GET", "/v1/groups/" + records.Designers, "", 200},
		{"memberships_list", "GET", "/v1/groups/" + records.Designers + "/memberships", "", 200},
		{"membership", "GET", "/v1/memberships/" + records.AdaInDesigners, "", 200},
		{"people_list", "GET", "/v1/people", "", 200},
		{"person", "GET", "/v1/people/" + records.Ada, "", 200},
		{"person_without_name", "GET", "/v1/people/" + records.Grace, "", 200},
		{"learners_list", "GET", "/v1/learners", "", 200},
		{"learner", "GET", "/v1/learners/" + records.Alan, "", 200},
		{"quizzes_list", "GET", "/v1/quizzes", "", 200},
		{"quizzes_list_v2", "GET", "/v2/quizzes?limit=1", "", 200},
		{"quiz", "GET", "/v1/quizzes/" + records.ShapesQuiz, "", 200},
		{"events_list", "GET", "/v2/events", "", 200},
		{"quiz_attempts_list", "GET", "/v2/quiz_attempts", "", 200},
		{"activity_completions_list", "GET", "/v2/activity_completions?limit=3", "", 200},
		{
			"category_created", "POST", "/v1/categories",
			`{"data":{"type":"categories","attributes":{"name":" Film "}}}`, 201,
		},
		{
			"category_changed", "PATCH", "/v1/categories/" + records.Design,
			`{"data":{"type":"categories","uuid":"` + records.Design + `","attributes":{"name":"Design & Build"}}}`, 200,
		},
		{
			"coupon_changed", "PATCH", "/v1/coupons/" + records.EarlyBird,
			`{"data":{"type":"coupons","uuid":"` + records.EarlyBird + `","attributes":{"code":" Earliest Bird ","value":99.90,"end_on":null}}}`, 200,
		},
		{
			"coupon_changed_by_post", "POST", "/v1/coupons/" + records.TenOff,
			`{"data":{"type":"coupons","uuid":"` + records.TenOff + `","attributes":{"currency_code":"eur","enabled":true,"maximum_usages":8}}}`, 200,
		},
		{
			"group_created", "POST", "/v1/groups",
			`{"data":{"type":"groups","attributes":{"name":" Film makers "}}}`, 201,
		},
		{
			"group_created_v2", "POST", "/v2/groups", `{"data":{"attributes":{"name":"Actors"}}}`, 201,
		},
		{
			"group_changed", "PATCH", "/v1/groups/" + records.Singers,
			`{"data":{"type":"groups","uuid":"` + records.Singers + `","attributes":{"name":"Singers"}}}`, 200,
		},
		{
			"learner_created", "POST", "/v1/learners",
			`{"data":{"type":"learners","attributes":{"email":"Kurt@example.test","first_name":"Kurt","last_name":"Gödel"}}}`, 201,
		},
		{
			"category_created_v2", "POST", "/v2/categories", `{"data":{"attributes":{"name":"Theatre"}}}`, 201,
		},
		{
			"bulk_people", "POST", "/v1/bulk/people",
			`{"data":{"type":"people","attributes":{"people":[{"email":"kurt@example.test","groups":"designers"},{"email":"no"}]}}}`, 202,
		},
		{
			"bulk_groups", "POST", "/v1/bulk/groups",
			`{"data":{"type":"groups","attributes":{"groups":[]}}}`, 202,
		},
		{
			"error_taken", "POST", "/v1/categories",
			`{"data":{"type":"categories","attributes":{"name":"MUSIC & DANCE"}}}`, 422,
		},
		{"school", "GET", "/v2/school", "", 200},
		{"school_changed", "PATCH", "/v2/school", `{"data":{"attributes":{"name":"Own School & more","authentication":"open"}}}`, 200},
		{"api_keys_list", "GET", "/v2/api_keys", "", 200},
		{"api_key", "GET", "/v2/api_keys/" + records.OwnKey, "", 200},
		{
			"api_key_created", "POST", "/v2/api_keys",
			`{"data":{"type":"api_keys","attributes":{"name":"Website","scope":"read","expires_at":"2035-01-31T15:04:05.1+02:00"}}}`, 201,
		},
		{"api_key_rotated", "POST", "/v2/api_keys/" + records.OwnKey + "/rotation", `{"data":{"attributes":{"overlap":3600}}}`, 201},
		{"people_list_v2", "GET", "/v2/people", "", 200},
		{"person_v2", "GET", "/v2/people/" + records.Alan, "", 200},
		{
			"person_created_v2", "POST", "/v2/people",
			`{"data":{"attributes":{"email":" Emmy@example.test ","first_name":"Emmy","last_name":"Noether",` +
				`"unsubscribed":true,"custom_avatar_url":"https://img.example.test/emmy.png?size=64&x"}}}`, 201,
		},
		{
			"person_changed_v2", "PATCH", "/v2/people/" + records.Grace,
			`{"data":{"type":"people","attributes":{"email":"GRACE@example.test","first_name":" Grace ","unsubscribed":true}}}`, 200,
		},
		{"partnerships_list", "GET", "/v2/partnerships", "", 200},
		{"partnership", "GET", "/v2/partnerships/" + records.AlansPartnership, "", 200},
		{
			"partnership_created", "POST", "/v2/partnerships",
			`{"data":{"type":"partnerships","attributes":{"role":"manager"},"relationships":{"person":{"data":{"type":"people","id":"` + records.Grace + `"}}}}}`, 201,
		},
		{
			"course_created", "POST", "/v2/courses",
			`{"data":{"type":"courses","attributes":{"name":" Drawing "},"relationships":{"categories":{"data":[{"type":"categories","id":"` + records.Design + `"}]},` +
				`"instructor_partnerships":{"data":[{"type":"instructor_partnerships","id":"` + records.AlansPartnership + `"}]}}}}`, 201,
		},
		{"error_course_in_use", "DELETE", "/v2/courses/drawing", "", 409},
		{
			"error_several_course", "POST", "/v2/courses",
			`{"data":{"type":"people","attributes":{"name":"","permalink":"drawing"},"relationships":{"categories":{"data":[{"type":"categories","id":"` + records.Unknown + `"}]},` +
				`"instructor_partnerships":{"data":[{"type":"people","id":"` + records.AlansPartnership + `"}]}}}}`, 409,
		},
		{
			"coupon_created_v2", "POST", "/v2/coupons",
			`{"data":{"type":"coupons","attributes":{"code":" Winter ","currency_code":"eur","start_on":"2025-12-01",` +
				`"end_on":"2026-02-28","format":"percentage","value":12.50,"maximum_usages":40}}}`, 201,
		},
		{
			"redemption_created", "POST", "/v2/coupons/" + records.TenOff + "/redemptions",
			`{"data":{"type":"coupon_redemptions","relationships":{"person":{"data":{"type":"people","id":"` + records.Alan + `"}}}}}`, 201,
		},
		{"redemptions_list", "GET", "/v2/coupons/" + records.TenOff + "/redemptions", "", 200},
		{"redemption", "GET", "/v2/coupon_redemptions/" + records.AdasRedemption, "", 200},
		{"invitation_resent", "POST", "/v2/people/" + records.Grace + "/invitation", "", 202},
		{"invitation", "GET", "/v2/people/" + records.Grace + "/invitation", "", 200},
		{
			"invitation_accepted", "POST", "/v2/invitations/" + records.InvitationToken + "/acceptance",
			`{"data":{"type":"people","attributes":{"first_name":" Grace B. ","last_name":"Hopper"}}}`, 200,
		},
		{"error_gone", "POST", "/v2/invitations/" + records.InvitationToken + "/acceptance", "", 410},
		{
			"error_not_redeemable", "POST", "/v2/coupons/" + records.TenOff + "/redemptions",
			`{"data":{"relationships":{"person":{"data":{"type":"people","id":"` + records.Ada + `"}}}}}`, 422,
		},
		{"error_several_v2", "POST", "/v2/people", `{"data":{"attributes":{"email":"ADA@example.test","last_name":7,"custom_avatar_url":"ada.png"}}}`, 422},
		{"error_several", "POST", "/v1/learners", `{"data":{"attributes":{"email":"","first_name":7}}}`, 422},
		{"error_parameter", "GET", "/v1/people?filter[age][eq]=7&page=0", "", 400},
		{"error_missing", "GET", "/v1/people/" + records.Unknown, "", 404},
		{"error_method", "PATCH", "/v1/people/" + records.Ada, "", 405},
		{"event_recorded", "POST", "/v2/events", bodies.LearnerDocument("learner_viewed_activity_events", `"occurred_at":"2026-01-01T10:00:00+01:00","client_id":"a-1"`, records.Ada, "activity", records.Lines), 201},
		{
			"events_recorded", "POST", "/v2/events",
			bodies.LearnerBatch(bodies.LearnerDocument("learner_viewed_video_activity_events", `"percentage_watched":5e-1`, records.Ada, "activity", records.Light), bodies.LearnerDocument("learner_viewed_activity_events", "", records.Ada, "activity", records.Lines)), 201,
		},
		{"activity_completed", "POST", "/v2/activities/" + records.Hum + "/completions", bodies.LearnerDocument("activity_completions", "", records.Alan), 201},
		{"quiz_answered", "POST", "/v2/quizzes/" + records.ShapesQuiz + "/answers", bodies.LearnerDocument("quiz_raw_answers", `"response":["a circle","A cube"]`, records.Alan, "activity", records.Listen, "question", s.QuestionID(t, 2)), 201},
		{
			"quiz_answered_at_once", "POST", "/v2/quizzes/" + records.ShapesQuiz + "/answers",
			bodies.LearnerBatch(
				bodies.LearnerDocument("quiz_raw_answers", `"response":"4"`, records.Alan, "activity", records.Listen, "question", s.QuestionID(t, 1)),
				bodies.LearnerDocument("quiz_raw_answers", `"response":"no"`, records.Alan, "activity", records.Listen, "question", s.QuestionID(t, 3)),
			), 201,
		},
		// Alan has now completed the whole course.
		{"enrollment_completed", "GET", "/v2/enrollments/" + records.AlanInSinging, "", 200},
		{"course_analytics_list_completed", "GET", "/v1/analytics/courses?filter[person.id]=" + records.Alan, "", 200},
		{"quiz_scores_list_completed", "GET", "/v1/analytics/quiz_scores?filter[person.id]=" + records.Alan, "", 200},
		{"activity_completions_list_completed", "GET", "/v2/activity_completions?filter[person.id]=" + records.Alan, "", 200},
		{"course_attempt_started", "POST", "/v2/courses/" + records.Singing + "/attempts", bodies.LearnerDocument("course_attempts", "", records.Ada), 201},
		{"error_learner_batch", "POST", "/v2/events", bodies.LearnerBatch(`{"data":{"type":"learner_viewed_video_activity_events"}}`, bodies.LearnerDocument("x", `"client_id":7`, records.Unknown, "activity", records.TheirActivity)), 422},
		{"property_definitions_list", "GET", "/v2/property_definitions", "", 200},
		{"property_definition", "GET", "/v2/property_definitions/" + records.Region, "", 200},
		{"property_definition_created", "POST", "/v2/property_definitions", bodies.Definition("people", "department", "one_of", `"values":["Sales","Support & more"],"filterable":true`), 201},
		{
			"property_definition_changed", "PATCH", "/v2/property_definitions/" + records.Region,
			`{"data":{"type":"property_definitions","attributes":{"values":["EU","US","Asia"],"filterable":true}}}`, 200,
		},
		{"person_with_properties", "PATCH", "/v2/people/" + records.Ada, `{"data":{"attributes":{"properties":{"department":"Support & more"}}}}`, 200},
		{"people_list_by_property", "GET", "/v2/people?filter[properties.department][eq]=Support+%26+more", "", 200},
		{"error_properties", "PATCH", "/v2/people/" + records.Ada, `{"data":{"attributes":{"properties":{"department":"sales","cost/center":1}}}}`, 422},
		{"error_property_filter", "GET", "/v2/people?filter[properties.cost][eq]=1&sort=properties.cost", "", 400},
		{"error_property_in_use", "DELETE", "/v2/property_definitions/" + records.Region, "", 409},
		{"property_definition_removed", "DELETE", "/v2/property_definitions/" + records.Region + "?force=true", "", 200},
		// These requests change records that the requests above use.
		{"course_structure_dry_run", "PUT", "/v2/courses/drawing/structure?dryRun=true", bodies.ChangedStructure, 200},
		{"course_structure_changed", "PUT", "/v2/courses/drawing/structure", bodies.ChangedStructure, 200},
		{"error_course_structure", "PUT", "/v2/courses/drawing/structure", bodies.InvalidStructure, 422},
		{
			"course_changed", "PATCH", "/v2/courses/singing",
			`{"data":{"attributes":{"name":"Singing & Dancing","permalink":"sing"},"relationships":{"categories":{"data":[{"type":"categories","id":"` + records.Music + `"}]}}}}`, 200,
		},
		{"course_deleted", "DELETE", "/v2/courses/drawing?force=true", "", 200},
		{"learner_token_created", "POST", "/v2/people/" + records.Ada + "/tokens", `{"data":{"attributes":{"expires_in":600}}}`, 201},
		{"webhook_endpoints_list", "GET", "/v2/webhook_endpoints", "", 200},
		{"webhook_endpoint", "GET", "/v2/webhook_endpoints/" + records.OwnEndpoint, "", 200},
		{
			"webhook_endpoint_created", "POST", "/v2/webhook_endpoints",
			`{"data":{"type":"webhook_endpoints","attributes":{"url":" https://hooks.example.test ","types":["people"],"description":" CRM ","enabled":true}}}`, 201,
		},
		{"webhook_deliveries_list", "GET", "/v2/webhook_deliveries", "", 200},
		{"webhook_endpoint_changed", "PATCH", "/v2/webhook_endpoints/" + records.OwnEndpoint, `{"data":{"attributes":{"types":["courses"],"description":null}}}`, 200},
		{"webhook_secret_rotated", "POST", "/v2/webhook_endpoints/" + records.OwnEndpoint + "/secret", "", 201},
		{"webhook_delivery", "GET", "/v2/webhook_deliveries/" + records.OwnDelivery, "", 200},
		{"webhook_ping", "POST", "/v2/webhook_endpoints/" + records.OwnEndpoint + "/ping", "", 202},
	}
	t.Run("submission_created", func(t *testing.T) {
		a := s.SubmitForm(t, records.StillLife, "person", records.Ada, "file", "apple.txt|An apple.\n")
		if a.Status != 201 {
			t.Fatalf("%d: %s", a.Status, a.Body)
		}
		Compare(t, "submission_created", a.Body)
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.Send(t, tt.method, tt.path, tt.body)
			if a.Status != tt.status {
				t.Fatalf("%d: %s", a.Status, a.Body)
			}
			Compare(t, tt.name, a.Body)
		})
	}
	tests = append(tests, request{"submission_created", "POST", "/v2/assignments/" + records.StillLife + "/submissions", "", 201})
	t.Run("every golden file", func(t *testing.T) {
		files, err := filepath.Glob("testdata/*.json")
		is.New(t).NoErr(err)
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			written := func(e request) bool { return e.name == name }
			if !slices.ContainsFunc(tests, written) && name != "csv" && name != "digests" { // parts CSVLists and Bytes
				t.Errorf("%s belongs to no request", file)
			}
		}
	})
	t.Run("every document of every resource", func(t *testing.T) {
		for _, r := range routes.All {
			_, ofV1 := r.Twin()
			if ofV1 || r.Noun() == "" || strings.Contains(r.Path, "/relationships/") || strings.HasSuffix(r.Path, "/activation") || strings.HasSuffix(r.Path, "/replay") ||
				r.Path == routes.ChangesPath || r.Path == routes.AuditPath {
				continue // VersionParity compares twins of v1; other requests return no record, or ids and times from the store
			}
			for _, method := range r.AllowedMethods() {
				shows := method == "GET" || method == "POST" || method == "PATCH"
				if shows && !slices.ContainsFunc(tests, func(e request) bool { return e.about(method, r) }) {
					t.Errorf("%s %s has no golden file", method, r.Path)
				}
			}
		}
	})
}

// request is a request. Its name is the name of the golden file with the response.
type request struct {
	name         string
	method, path string
	body         string
	status       int
}

// about reports whether e is a successful request that has the method and a path of r.
func (e request) about(method string, r routes.Resource) bool {
	path, _, _ := strings.Cut(e.path, "?")
	have, want := strings.Split(path, "/"), strings.Split(r.Path, "/")
	return e.method == method && e.status < 300 && slices.EqualFunc(have, want, func(a, b string) bool { return a == b || b == ":id" })
}
