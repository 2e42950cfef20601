package policies_test

import (
	"fmt"
	"strings"
	"testing"

	"lyceum/cmd/server"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/test/kit"
	"lyceum/test/lyceumtest"
)

// TestResponses checks the effects of verdicts on responses: the pointer of a fault without a
// field, the status that a rule chooses, the methods of links, and a success without effect.
func TestResponses(t *testing.T) {
	const refused, kept = "p2@example.test", "p1@example.test"
	rules := policy.Set{
		DeletePerson: policy.Rules[policy.DeletingPerson]{{Check: func(d policy.DeletingPerson) error {
			switch d.Person.Email {
			case refused:
				return fault.Invalidf("", "cannot be deleted")
			case kept:
				return policy.NoEffect
			}
			return nil
		}}},
		CreatePerson: policy.Rules[policy.CreatingPerson]{{Needs: policy.School, Check: func(c policy.CreatingPerson) error {
			if c.Person.FirstName == c.School.Name && c.By != (policy.Actor{}) {
				return fault.Forbiddenf("not this one")
			}
			return nil
		}}},
	}
	var people []string
	for i := range 3 {
		people = append(people, fmt.Sprintf(`{"kind": "person", "email": %q, "id": "00000000-0000-4000-8000-%012d"}`, email(i), i+1))
	}
	s := lyceumtest.Start(t, lyceumtest.With(server.WithPolicy(rules)),
		lyceumtest.WithSchool(kit.School{Name: "House", Lines: strings.Join(people, "\n")}.Open))
	for _, tc := range []struct {
		method, path, body string
		status             int
		part               string
	}{
		{"GET", "/v2/people?filter[email][eq]=" + refused, "", 200, `"methods":["get"]`},
		{"GET", "/v2/people?filter[email][eq]=" + kept, "", 200, `"methods":["get","delete"]`},
		{"GET", "/v2/people/00000000-0000-4000-8000-000000000003", "", 200, `"methods":["get"]`},
		{"DELETE", "/v2/people/00000000-0000-4000-8000-000000000003", "", 422, `"detail":"cannot be deleted","source":{"pointer":"/data"}`},
		{"DELETE", "/v2/people/00000000-0000-4000-8000-000000000002", "", 204, ""},
		{"GET", "/v2/people/00000000-0000-4000-8000-000000000002", "", 200, kept},
		{"DELETE", "/v2/people/00000000-0000-4000-8000-000000000001", "", 204, ""},
		{"GET", "/v2/people/00000000-0000-4000-8000-000000000001", "", 404, ""},
		{
			"POST", "/v2/people", `{"data": {"type": "people", "attributes": {"email": "x@example.test", "first_name": "House"}}}`,
			403, "not this one",
		},
	} {
		status, text, err := s.Do(t.Context(), tc.method, tc.path, tc.body)
		must(t, err)
		if status != tc.status || !strings.Contains(text, tc.part) {
			t.Errorf("%s %s: %d %s", tc.method, tc.path, status, text)
		}
	}
}
