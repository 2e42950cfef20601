package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"lyceum/test/api/contract"
)

// TestProblemsReportsUndocumentedErrors checks that an error is accepted only if its operation
// lists its status, source and detail.
func TestProblemsReportsUndocumentedErrors(t *testing.T) {
	const (
		courses = single + "/relationships/x"
		events  = "/v2/events"
		lists   = "/v1/groups/00000000-0000-4000-8000-0000000000c1/relationships/people"
		handIn  = "/v2/assignments/00000000-0000-4000-8000-0000000000c1/submissions"
		blank   = "can't be blank"
	)
	tests := []struct {
		method, path string
		status       int
		source       string // kind and value of the source, joined by a colon
		detail       string
		named        bool
	}{
		{"POST", listed, 422, "pointer:/data/attributes/name", blank, true},
		{"POST", listed, 422, "pointer:/data/attributes/name", "is too long (maximum is 255 characters)", true},
		{"POST", listed, 422, "pointer:/data/attributes/name", "has 7 letters", false},
		{"POST", listed, 422, "pointer:/data/attributes/name", blank + " or 7 letters long", false},
		{"POST", listed, 422, "pointer:/data/attributes/color", blank, false},
		{"POST", listed, 422, "parameter:/data/attributes/name", blank, false},
		{"POST", listed, 422, "", blank, false},
		{"POST", listed, 409, "pointer:/data/attributes/name", blank, false},
		{"POST", listed, 409, "", "This category is used", false},
		{"POST", listed, 403, "", "This API key may only read; the scope write is required", true},
		{"POST", listed, 403, "", "The school is closed on Sundays", false},
		{"POST", listed, 404, "", "The resource you requested does not exist", false},
		{"DELETE", single, 404, "", "The resource you requested does not exist", true},
		{"DELETE", single, 409, "", "This category is used", false},
		// The fault that every POST can return names only the header.
		{"POST", listed, 422, "header:Idempotency-Key", "This Idempotency-Key was already used for a different request", true},
		{"POST", listed, 422, "", "This Idempotency-Key was already used for a different request", false},
		{"POST", listed, 422, "header:X-Request-Id", "This Idempotency-Key was already used for a different request", false},
		// * stands only for an index.
		{"POST", lists, 404, "pointer:/data/17/id", "The resource you requested does not exist", true},
		{"POST", lists, 404, "pointer:/data/id", "The resource you requested does not exist", false},
		{"POST", events, 422, "pointer:/data/3/attributes/client_id", "is already used by a different event", true},
		{"POST", events, 422, "pointer:/data/attributes/client_id", "is already used by a different event", true},
		{"POST", events, 422, "pointer:/data/3/4/attributes/client_id", "is already used by a different event", false},
		{"POST", handIn, 422, "parameter:file", blank, true},
		{"POST", handIn, 422, "pointer:file", blank, false},
		// Errors with other statuses are not listed, and an unknown path has no operation.
		{"POST", listed, 400, "", "The body is not valid JSON (near byte 7)", true},
		{"GET", courses, 404, "", "There is nothing", true},
	}
	titles := map[int]string{400: "Bad Request", 403: "Forbidden", 404: "Not Found", 409: "Conflict", 422: "Invalid Attribute"}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.method, tt.path, tt.status, tt.source, tt.detail), func(t *testing.T) {
			source := "{}"
			if kind, value, ok := strings.Cut(tt.source, ":"); ok {
				source = fmt.Sprintf("{%q:%q}", kind, value)
			}
			body := fmt.Sprintf(`{"errors":[{"status":"%d","title":%q,"detail":%q,"source":%s}]}`, tt.status, titles[tt.status], tt.detail, source)
			problems := description(t).Problems(contract.Response{
				Method: tt.method, Path: tt.path, Status: tt.status, Header: headers(""), Body: []byte(body),
			})
			if tt.named != (problems == nil) {
				t.Errorf("named: %t, problems: %v", tt.named, problems)
			}
		})
	}
}

// TestProblemsReportsEveryUndocumentedError checks every error of a response, including those whose
// status differs from the status of the response.
func TestProblemsReportsEveryUndocumentedError(t *testing.T) {
	body := `{"errors":[` +
		`{"status":"409","title":"Conflict","detail":"must be categories","source":{"pointer":"/data/type"}},` +
		`{"status":"422","title":"Invalid Attribute","detail":"has 7 letters","source":{"pointer":"/data/attributes/name"}}]}`
	problems := description(t).Problems(contract.Response{
		Method: "POST", Path: listed, Status: 409, Header: headers(""), Body: []byte(body),
	})
	if len(problems) != 1 || !strings.Contains(problems[0], "has 7 letters") {
		t.Error(problems)
	}
}
