package group_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/group"
	"lyceum/domain/query"
	"lyceum/test/conformance/schematest"
)

func TestSchema(t *testing.T) {
	is := is.New(t)
	spring := group.Summary{
		State:           group.State{ID: id, Name: "Spring", EnrollToken: token, CreatedAt: now, UpdatedAt: laterTime},
		MembershipCount: 3,
	}
	// The link is defined in the same way as in the transport. The token itself is hidden.
	s := group.Schema.With("group_enrollment_link", "https://lms.test/g/", "enroll_token", "")
	schematest.Attributes(t, s, spring, map[string]string{
		"uuid":                  "00000000-0000-0000-0000-000000000001",
		"name":                  "Spring",
		"membership_count":      "3",
		"created_at":            "2026-01-31T15:04:05.123Z",
		"updated_at":            "2026-01-31T16:04:05.123Z",
		"group_enrollment_link": "https://lms.test/g/" + token,
	})
	schematest.Search(t, s, spring, []string{"spring"}, []string{"0a0a"})
	is.Equal(schematest.Order(group.Schema), "name")
	is.Equal(group.Schema.Attr("enroll_token").Kind, query.Text)
}
