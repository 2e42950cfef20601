package school_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

func TestUpdate(t *testing.T) {
	before := school.State{ID: id, Name: "Athens", Auth: school.Open, CreatedAt: now, UpdatedAt: now}
	uuidName := id.String()
	name, same, blank, sso, open := " Sparta ", "Athens", " ", school.SSO, school.Open
	for _, tc := range []struct {
		name    string
		edit    school.Changes
		want    func(s *school.State)
		refused bool
	}{
		{"nothing", school.Changes{}, nil, false},
		{"what it is already", school.Changes{Name: &same, Auth: &open}, nil, false},
		{"the name", school.Changes{Name: &name}, func(s *school.State) { s.Name = "Sparta" }, false},
		{"the method", school.Changes{Auth: &sso}, func(s *school.State) { s.Auth = school.SSO }, false},
		{"a UUID as the name", school.Changes{Name: &uuidName}, nil, true},
		{"a blank name, and the method", school.Changes{Name: &blank, Auth: &sso}, nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s, want := school.Restore(before), before
			if tc.want != nil {
				tc.want(&want)
				want.UpdatedAt = laterTime
			}
			changed, err := s.Update(tc.edit, laterTime)
			is.Equal(fault.Is(err, fault.Invalid), tc.refused)
			is.Equal(changed, tc.want != nil)
			is.Equal(s.State(), want)
		})
	}
}
