package person_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/conformance/schematest"
)

func TestSchema(t *testing.T) {
	is := is.New(t)
	avatar, activated := "https://lms.test/ada.png", now.Add(2*time.Hour)
	ada := person.Summary{
		State: person.State{
			ID: id, Email: "countess@lms.test", FirstName: "Ada", LastName: "Lovelace", AvatarURL: &avatar,
			ActivatedAt: &activated, Unsubscribed: true, CreatedAt: now, UpdatedAt: laterTime,
		},
		CourseCount: 2, GroupCount: 3, Partnerships: []person.PartnershipID{{UUID: uuid.UUID{15: 4}}},
	}
	schematest.Attributes(t, person.Schema, ada, map[string]string{
		"uuid":                "00000000-0000-0000-0000-000000000001",
		"email":               "countess@lms.test",
		"first_name":          "Ada",
		"last_name":           "Lovelace",
		"full_name":           "Ada Lovelace",
		"name":                "Ada Lovelace",
		"registration_status": "activated",
		"custom_avatar_url":   avatar,
		"unsubscribed":        "true",
		"course_count":        "2",
		"group_count":         "3",
		"partnerships.id":     "00000000-0000-0000-0000-000000000004",
		"activated_at":        "2026-01-31T17:04:05.123Z",
		"created_at":          "2026-01-31T15:04:05.123Z",
		"updated_at":          "2026-01-31T16:04:05.123Z",
	})
	schematest.Search(t, person.Schema, ada, []string{"ADA", "lovelace ada"}, []string{"countess", "png"})
	is.Equal(schematest.Order(person.Schema), "full_name")
}

// Use cases restrict lists of learners by an attribute that clients cannot use.
func TestSchemaKnowsLearners(t *testing.T) {
	is := is.New(t)
	learner := query.Cond{Attr: person.Schema.Attr("learner"), Op: query.Eq, Values: []query.Value{{Bool: true}}}
	found := person.Schema.Evaluate(query.Query{Where: learner}, []person.Summary{
		{State: person.State{Email: "learner@lms.test"}},
		{State: person.State{Email: "owner@lms.test"}, Partnerships: []person.PartnershipID{{UUID: uuid.UUID{1}}}},
	}).Items
	is.Equal(len(found), 1)
	is.Equal(found[0].Email, "learner@lms.test")
}
