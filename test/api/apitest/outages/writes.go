package outages

import (
	"strings"
	"testing"

	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// writeRequest is a request that changes a record. On a new server it succeeds once.
type writeRequest struct {
	path   string // blank: the path of the resource with its id
	query  string
	json   string // the body; blank: none
	header map[string]string
	made   func(t *testing.T, s *fixture.Server) string // returns the body if it depends on the server
	before func(t *testing.T, s *fixture.Server)        // makes changes that the request requires
	// durable is true if a job may do the remaining work after the first transaction.
	durable bool
	commits int // number of transactions; 0: one
}

func (w writeRequest) body(t *testing.T, s *fixture.Server) string {
	t.Helper()
	if w.made != nil {
		return w.made(t, s)
	}
	return w.json
}

// writes returns a request for every route that changes records, by method and path.
func writes() map[string]writeRequest {
	redeem := `{"data":{"relationships":{"person":{"data":{"type":"people","id":"` + records.Alan + `"}}}}}`
	name := func(typ, id string) writeRequest {
		return writeRequest{json: `{"data":{"type":"` + typ + `","uuid":"` + id + `","attributes":{"name":"Another name"}}}`}
	}
	add := func(typ string) writeRequest {
		return writeRequest{json: `{"data":{"type":"` + typ + `","attributes":{"name":"A new name"}}}`}
	}
	learner := writeRequest{json: `{"data":{"type":"learners","attributes":{"email":"kurt@example.test"}}}`}
	typed := func(typ string) writeRequest { return writeRequest{json: `{"data":{"type":"` + typ + `"}}`} }
	bulkPeople := writeRequest{json: `{"data":{"type":"people","attributes":{"people":[{"email":"kurt@example.test","groups":"designers"}]}}}`}
	bulkGroups := writeRequest{json: `{"data":{"type":"groups","attributes":{"groups":[{"name":"Fresh","courses":"drawing"}]}}}`}
	related := func(path, typ, id string) writeRequest {
		return writeRequest{path: path, json: bodies.Data(bodies.Element(typ, id))}
	}
	all := map[string]writeRequest{}
	coupon := func(id string) writeRequest {
		return writeRequest{json: `{"data":{"type":"coupons","uuid":"` + id + `","attributes":{"code":"Another code"}}}`}
	}
	coupons := map[string]writeRequest{"/v1": coupon(records.EarlyBird), "/v2": coupon(records.TenOff)}
	groups := map[string]writeRequest{"/v1": name("groups", records.Singers), "/v2": name("groups", records.Designers)}
	for _, v := range []string{"/v1", "/v2"} {
		for route, w := range map[string]writeRequest{
			"POST /bulk/groups":                        bulkGroups,
			"POST /bulk/people":                        bulkPeople,
			"POST /categories":                         add("categories"),
			"PUT /categories/:id":                      name("categories", records.Design),
			"PATCH /categories/:id":                    name("categories", records.Design),
			"DELETE /categories/:id":                   typed("categories"),
			"PATCH /coupons/:id":                       coupons[v],
			"PUT /coupons/:id":                         coupons[v],
			"POST /coupons/:id":                        coupons[v],
			"DELETE /coupons/:id":                      typed("coupons"),
			"POST /coupons/:id/activation":             {},
			"DELETE /coupons/:id/activation":           {},
			"POST /groups":                             add("groups"),
			"PUT /groups/:id":                          groups[v],
			"PATCH /groups/:id":                        groups[v],
			"DELETE /groups/:id":                       typed("groups"),
			"DELETE /memberships/:id":                  typed("memberships"),
			"DELETE /people/:id":                       typed("people"),
			"POST /groups/:id/relationships/courses":   related(v+"/groups/"+records.Singers+"/relationships/courses", "courses", records.Drawing),
			"POST /groups/:id/relationships/people":    related(v+"/groups/"+records.Designers+"/relationships/people", "people", records.Alan),
			"POST /people/:id/relationships/courses":   related(v+"/people/"+records.Olga+"/relationships/courses", "enrolled-courses", records.Drawing),
			"POST /people/:id/relationships/groups":    related(v+"/people/"+records.Olga+"/relationships/groups", "membership-groups", records.Designers),
			"DELETE /people/:id/relationships/courses": related(v+"/people/"+records.Ada+"/relationships/courses", "enrolled-courses", records.Drawing),
			"DELETE /people/:id/relationships/groups":  related(v+"/people/"+records.Ada+"/relationships/groups", "membership-groups", records.Designers),
		} {
			method, path, _ := strings.Cut(route, " ")
			all[method+" "+v+path] = w
		}
	}
	for route, w := range map[string]writeRequest{
		"POST /v1/learners":                      learner,
		"DELETE /v1/learners/:id":                typed("learners"),
		"POST /v2/api_keys":                      {json: `{"data":{"attributes":{"name":"Website","scope":"read"}}}`},
		"DELETE /v2/api_keys/:id":                {before: secondKey},
		"POST /v2/api_keys/:id/rotation":         {json: `{"data":{"attributes":{"overlap":3600}}}`},
		"POST /v2/webhook_endpoints":             {json: `{"data":{"attributes":{"url":"https://one.example.test"}}}`},
		"PUT /v2/webhook_endpoints/:id":          {json: `{"data":{"attributes":{"url":"https://two.example.test"}}}`},
		"PATCH /v2/webhook_endpoints/:id":        {json: `{"data":{"attributes":{"enabled":false}}}`},
		"DELETE /v2/webhook_endpoints/:id":       {},
		"POST /v2/webhook_endpoints/:id/secret":  {},
		"POST /v2/webhook_endpoints/:id/ping":    {},
		"POST /v2/webhook_endpoints/:id/replay":  {json: `{"data":{"attributes":{"after":"0"}}}`},
		"POST /v2/webhook_deliveries/:id/replay": {},
		"POST /v2/courses": {json: `{"data":{"attributes":{"name":" Drawing "},"relationships":{"categories":{"data":[{"type":"categories","id":"` + records.Design + `"}]},` +
			`"instructor_partnerships":{"data":[{"type":"instructor_partnerships","id":"` + records.AlansPartnership + `"}]}}}}`},
		"PUT /v2/courses/:id":           {json: `{"data":{"attributes":{"name":"Other","permalink":"other"}}}`},
		"PATCH /v2/courses/:id":         {json: `{"data":{"attributes":{"name":"Other","permalink":"other"}}}`},
		"DELETE /v2/courses/:id":        {query: "?force=true", durable: true},
		"PUT /v2/courses/:id/structure": {json: bodies.ChangedStructure},
		"GET /v2/activity_completions":  {query: "?include=person,activity&count=true"},
		"POST /v2/courses/:id/attempts": {json: bodies.LearnerDocument("course_attempts", "", records.Ada)},
		"POST /v2/coupons": {json: `{"data":{"type":"coupons","attributes":{"code":"Winter","currency_code":"eur","start_on":"2025-12-01",` +
			`"format":"percentage","value":12.50,"maximum_usages":40}}}`},
		"POST /v2/coupons/:id/redemptions": {json: redeem, before: func(t *testing.T, s *fixture.Server) {
			s.Send(t, "PATCH", "/v2/coupons/"+records.TenOff, `{"data":{"attributes":{"enabled":true,"maximum_usages":8}}}`)
		}},
		"POST /invitations/:id":               {header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, json: "first_name=Grace"},
		"POST /v2/invitations/:id/acceptance": {json: `{"data":{"type":"people","attributes":{"first_name":"Grace"}}}`},
		"POST /v2/people/:id/invitation":      {},
		"POST /v2/people/:id/tokens":          {},
		"DELETE /v2/people/:id/tokens":        {},
		"POST /v2/activities/:id/completions": {json: bodies.LearnerDocument("activity_completions", "", records.Alan), path: "/v2/activities/" + records.Hum + "/completions"},
		"POST /v2/assignments/:id/submissions": {
			json:    bodies.FormBody("person", records.Ada, "file", "apple.txt|An apple.\n"),
			header:  map[string]string{"Content-Type": "multipart/form-data; boundary=" + bodies.Boundary},
			commits: 2, // the first transaction adds the job that deletes the file if the submission fails
		},
		"POST /v2/quizzes/:id/answers": {made: func(t *testing.T, s *fixture.Server) string {
			return bodies.LearnerBatch(
				bodies.LearnerDocument("quiz_raw_answers", `"response":"4"`, records.Alan, "activity", records.Listen, "question", s.QuestionID(t, 1)),
				bodies.LearnerDocument("quiz_raw_answers", `"response":"no"`, records.Alan, "activity", records.Listen, "question", s.QuestionID(t, 3)),
			)
		}},
		"POST /v2/events": {json: bodies.LearnerBatch(
			bodies.LearnerDocument("learner_viewed_video_activity_events", `"percentage_watched":5e-1,"client_id":"a"`, records.Ada, "activity", records.Light),
			bodies.LearnerDocument("learner_viewed_activity_events", "", records.Alan, "activity", records.Hum),
		)},
		"POST /v2/partnerships":                         {json: `{"data":{"attributes":{"role":"manager"},"relationships":{"person":{"data":{"type":"people","id":"` + records.Grace + `"}}}}}`},
		"DELETE /v2/partnerships/:id":                   {},
		"POST /v2/people":                               {json: `{"data":{"attributes":{"email":"emmy@example.test"}}}`},
		"PUT /v2/people/:id":                            {json: `{"data":{"attributes":{"email":"grace2@example.test"}}}`},
		"PATCH /v2/people/:id":                          {json: `{"data":{"attributes":{"email":"grace2@example.test"}}}`},
		"PUT /v2/school":                                {json: `{"data":{"attributes":{"name":"Another school"}}}`},
		"POST /v2/property_definitions":                 {json: bodies.Definition("people", "city", "text", "")},
		"PUT /v2/property_definitions/:id":              {json: `{"data":{"attributes":{"filterable":true}}}`},
		"PATCH /v2/property_definitions/:id":            {json: `{"data":{"attributes":{"values":["EU"]}}}`},
		"DELETE /v2/property_definitions/:id":           {query: "?force=true"},
		"PATCH /v2/school":                              {json: `{"data":{"attributes":{"name":"Another school"}}}`},
		"DELETE /v2/groups/:id/relationships/courses":   related("/v2/groups/"+records.Designers+"/relationships/courses", "courses", records.Drawing),
		"POST /v2/groups/:id/relationships/managers":    related("/v2/groups/"+records.Singers+"/relationships/managers", "people", records.Alan),
		"DELETE /v2/groups/:id/relationships/managers":  related("/v2/groups/"+records.Designers+"/relationships/managers", "people", records.Alan),
		"DELETE /v2/groups/:id/relationships/people":    related("/v2/groups/"+records.Designers+"/relationships/people", "people", records.Ada),
		"POST /v2/courses/:id/relationships/learners":   related("/v2/courses/drawing/relationships/learners", "people", records.Olga),
		"DELETE /v2/courses/:id/relationships/learners": related("/v2/courses/drawing/relationships/learners", "people", records.Ada),
		"POST /v2/courses/:id/relationships/managers":   related("/v2/courses/drawing/relationships/managers", "people", records.Olga),
		"DELETE /v2/courses/:id/relationships/managers": related("/v2/courses/drawing/relationships/managers", "people", records.Alan),
	} {
		all[route] = w
	}
	for _, relation := range []struct{ name, in, not string }{
		{"categories", records.Design, records.Music}, {"instructor_partnerships", records.AlansPartnership, records.OlgasPartnership},
	} {
		path := "/v2/courses/drawing/relationships/" + relation.name
		route := " /v2/courses/:id/relationships/" + relation.name
		for _, method := range []string{"POST", "PUT", "PATCH"} {
			all[method+route] = related(path, relation.name, relation.not)
		}
		all["DELETE"+route] = related(path, relation.name, relation.in)
	}
	return all
}

// secondKey adds a second admin key to the server's school and uses it for later requests, so that
// the first key can be revoked.
func secondKey(t *testing.T, s *fixture.Server) {
	t.Helper()
	a := s.Send(t, "POST", "/v2/api_keys", `{"data":{"attributes":{"name":"Second","scope":"admin"}}}`)
	s.Key = a.Secret(t)
}
