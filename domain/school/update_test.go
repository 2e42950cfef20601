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
	secret := "v1:5eed"
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
		{"a malformed slug", school.Changes{Slug: &badSlug}, nil, true},
		{"a UUID as the slug", school.Changes{Slug: &uuidName}, nil, true},
		{"a UUID as the name", school.Changes{Name: &uuidName}, nil, true},
		{"a blank name, and the method", school.Changes{Name: &blank, Auth: &sso}, nil, true},
		{"a method that is not set up, if that is refused", school.Changes{Auth: &sso, RefuseLockout: true}, nil, true},
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

// With RefuseLockout, an update cannot make signing in impossible. It can change a school in which
// it already is.
func TestUpdateRefusesLockout(t *testing.T) {
	name, issuer, client, none, secret := "Sparta", "https://login.example", "lyceum", "", strings.Repeat("x", 32)
	sso, url, open := school.SSO, school.URL, school.Open
	provider := school.ProviderChanges{Issuer: &issuer, ClientID: &client, ClientSecret: &client}
	noProvider := school.ProviderChanges{Issuer: &none}
	set := school.Entry{Secret: secret, Provider: school.Provider{Issuer: issuer, ClientID: client, ClientSecret: client}}
	for _, tc := range []struct {
		name    string
		method  school.AuthMethod
		entry   school.Entry
		edit    school.Changes
		refused bool
	}{
		{"single sign-on without a provider", open, school.Entry{}, school.Changes{Auth: &sso}, true},
		{"single sign-on with its provider", open, school.Entry{}, school.Changes{Auth: &sso, Provider: provider}, false},
		{"single sign-on with the present provider", open, set, school.Changes{Auth: &sso}, false},
		{"without the provider in use", sso, set, school.Changes{Provider: noProvider}, true},
		{"without an unused provider", open, set, school.Changes{Provider: noProvider}, false},
		{"the website without a secret", open, school.Entry{}, school.Changes{Auth: &url}, true},
		{"the website with its secret", open, school.Entry{}, school.Changes{Auth: &url, EntrySecret: &secret}, false},
		{"without the secret in use", url, set, school.Changes{EntrySecret: &none}, true},
		{"a name where no person can sign in", sso, school.Entry{}, school.Changes{Name: &name}, false},
		{"a name", open, school.Entry{}, school.Changes{Name: &name}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			for _, refuse := range []bool{false, true} {
				s := school.Restore(school.State{ID: id, Name: "Athens", Slug: "athens", Auth: tc.method, Entry: tc.entry})
				before := s.State()
				tc.edit.RefuseLockout = refuse
				changed, err := s.Update(tc.edit, laterTime)
				refused := tc.refused && refuse
				is.Equal(fault.Is(err, fault.Invalid), refused)
				is.Equal(changed, !refused)
				is.Equal(s.State() == before, refused)
			}
		})
	}
}

func TestCheckEntrySecret(t *testing.T) {
	is := is.New(t)
	for _, good := range []string{"", strings.Repeat("5eed ~", 6), strings.Repeat("x", 32), strings.Repeat("x", 255)} {
		is.NoErr(school.CheckEntrySecret(good))
	}
	for _, bad := range []string{" ", strings.Repeat("x", 31), strings.Repeat("x", 256), strings.Repeat("ü", 32), strings.Repeat("x", 32) + "\n"} {
		is.True(fault.Is(school.CheckEntrySecret(bad), fault.Invalid))
	}
}
