package person_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

func TestDeletionAndLearners(t *testing.T) {
	partner := []person.PartnershipID{{UUID: uuid.UUID{15: 9}}}
	for _, tc := range []struct {
		name               string
		summary            person.Summary
		deletable, learner bool
	}{
		{"no role at all", person.Summary{}, true, true},
		{"learns in a course", person.Summary{CourseCount: 1}, true, true},
		{"a member of a group", person.Summary{GroupCount: 1}, true, true},
		{"a partner", person.Summary{Partnerships: partner}, false, false},
		{"a partner who learns", person.Summary{Partnerships: partner, CourseCount: 1}, false, true},
		{"a partner in a group", person.Summary{Partnerships: partner, GroupCount: 1}, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)

			is.Equal(tc.summary.Learner(), tc.learner)
			is.Equal(person.CheckDeletion(tc.summary) == nil, tc.deletable)
			is.Equal(fault.Is(person.CheckDeletion(tc.summary), fault.Forbidden), !tc.deletable)
			is.Equal(person.CheckLearner(tc.summary) == nil, tc.learner)
			is.Equal(fault.Is(person.CheckLearner(tc.summary), fault.NotFound), !tc.learner)
		})
	}
}
