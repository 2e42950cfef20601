package school_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

func TestUpdate(t *testing.T) {
	before := school.State{ID: id, Name: "Athens", Slug: "athens", Auth: school.Open, CreatedAt: now, UpdatedAt: now}
	uuidName := id.String()
	name, same, blank, sso, open := " Sparta ", "Athens", " ", school.SSO, school.Open
	slug, badSlug, yes, none := "sparta", "Sparta!", true, ""
	secret, shortSecret, foreignSecret := strings.Repeat("5eed ~", 6), strings.Repeat("x", 31), strings.Repeat("ü", 32)
	provider := school.Provider{Issuer: "https://login.example", ClientID: "lyceum", ClientSecret: "x"}
	providerChanges := school.ProviderChanges{Issuer: &provider.Issuer, ClientID: &provider.ClientID, ClientSecret: &provider.ClientSecret}
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
		{"the slug", school.Changes{Slug: &slug}, func(s *school.State) { s.Slug = "sparta" }, false},
		{"the rules of entry", school.Changes{PublicCovers: &yes, AdmitsNewPeople: &yes, EntrySecret: &secret, Provider: providerChanges}, func(s *school.State) {
			s.Entry = school.Entry{PublicCovers: true, AdmitsNewPeople: true, Secret: secret, Provider: provider}
		}, false},
		{"the slug that it is already", school.Changes{Slug: &before.Slug}, nil, false},
		{"no provider", school.Changes{Provider: school.ProviderChanges{Issuer: &none}}, nil, false},
		{"a short entry secret", school.Changes{EntrySecret: &shortSecret}, nil, true},
		{"an entry secret with other characters", school.Changes{EntrySecret: &foreignSecret}, nil, true},
		{"a malformed slug", school.Changes{Slug: &badSlug}, nil, true},
		{"a UUID as the slug", school.Changes{Slug: &uuidName}, nil, true},
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
