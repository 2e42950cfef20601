package school_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

func TestProvider(t *testing.T) {
	set := func(s string) *string { return &s }
	type changes = school.ProviderChanges
	before := school.Provider{Issuer: "https://login.example", ClientID: "lyceum", ClientSecret: "x"}
	for _, tc := range []struct {
		name   string
		before school.Provider
		edit   changes
		want   school.Provider
		fields []string // of the faults
	}{
		{"a new one", school.Provider{}, changes{set(" https://login.example/realms/a "), set(" lyceum "), set("x")}, school.Provider{Issuer: "https://login.example/realms/a", ClientID: "lyceum", ClientSecret: "x"}, nil},
		{"on this machine", school.Provider{}, changes{set("http://127.0.0.1:8080"), set("a"), set("x")}, school.Provider{Issuer: "http://127.0.0.1:8080", ClientID: "a", ClientSecret: "x"}, nil},
		{"nothing", before, changes{}, before, nil},
		{"the same issuer", before, changes{Issuer: &before.Issuer}, before, nil},
		{"another client", before, changes{ClientID: set("other")}, school.Provider{Issuer: before.Issuer, ClientID: "other", ClientSecret: "x"}, nil},
		{"another secret", before, changes{ClientSecret: set("y")}, school.Provider{Issuer: before.Issuer, ClientID: "lyceum", ClientSecret: "y"}, nil},
		{"none", before, changes{Issuer: set(" ")}, school.Provider{}, nil},
		{"none with a client", before, changes{Issuer: set(""), ClientID: set("a")}, school.Provider{}, nil},
		{"an issuer to which the secret does not belong", before, changes{Issuer: set("https://evil.example")}, before, []string{"sso_client_secret"}},
		{"a client without an issuer", school.Provider{}, changes{ClientID: set("a")}, school.Provider{}, []string{"sso_issuer"}},
		{"without TLS", before, changes{set("http://login.example"), set("a"), set("x")}, before, []string{"sso_issuer"}},
		{"a host that begins like this machine", before, changes{set("http://127.0.0.1.evil.example"), set("a"), set("x")}, before, []string{"sso_issuer"}},
		{"a query", before, changes{set("https://login.example?a"), set("a"), set("x")}, before, []string{"sso_issuer"}},
		{"a fragment", before, changes{set("https://login.example#a"), set("a"), set("x")}, before, []string{"sso_issuer"}},
		{"no URL", before, changes{set("login"), set("a"), set("x")}, before, []string{"sso_issuer"}},
		{"blank attributes", before, changes{ClientID: set(" "), ClientSecret: set("")}, before, []string{"sso_client_id", "sso_client_secret"}},
		{"a long client", before, changes{ClientID: set(strings.Repeat("a", 2001))}, before, []string{"sso_client_id"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s := school.Restore(school.State{Entry: school.Entry{Provider: tc.before}})
			_, err := s.Update(school.Changes{Provider: tc.edit}, now)
			var fields []string
			for _, f := range fault.All(err) {
				fields = append(fields, f.Field)
			}
			is.Equal(fields, tc.fields)
			is.Equal(s.State().Entry.Provider, tc.want)
		})
	}
}

func TestCheckClientSecret(t *testing.T) {
	is := is.New(t)
	is.NoErr(school.CheckClientSecret("a ~" + strings.Repeat("x", 1997)))
	for _, bad := range []string{"a\nb", "é", strings.Repeat("x", 2001)} {
		is.True(fault.Is(school.CheckClientSecret(bad), fault.Invalid))
	}
}
