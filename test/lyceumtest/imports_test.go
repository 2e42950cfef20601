package lyceumtest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/test/lyceumtest"
)

// privateOnly refuses addresses at trash.example.
var privateOnly = policy.Set{CreatePerson: policy.Rules[policy.CreatingPerson]{{Check: func(c policy.CreatingPerson) error {
	if strings.HasSuffix(c.Person.Email, "@trash.example") {
		return fault.Invalidf("email", "is at trash.example")
	}
	return nil
}}}}

// TestImports checks that both kinds of import check the rules, that a refused import changes
// nothing, and that errors contain the numbers of the lines.
func TestImports(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name          string
		load          func(s *lyceumtest.Server, text string) (created int, err error)
		good, refused string
		want          string
	}{
		{
			"lines", func(s *lyceumtest.Server, text string) (int, error) {
				r, err := s.Import(t.Context(), text)
				return r.Kinds[0].Created, err
			},
			`{"kind": "person", "email": "a@school.example"}` + "\n",
			`{"kind": "person", "email": "a@school.example"}` + "\n" + `{"kind": "person", "email": "b@trash.example"}`,
			"line 3: person: email: is at trash.example",
		},
		{
			"people as CSV", func(s *lyceumtest.Server, text string) (int, error) {
				r, err := s.ImportPeople(t.Context(), text)
				return r.Kinds[0].Created, err
			},
			"email\na@school.example\n", "email\na@school.example\nb@trash.example\n", "line 3: email: is at trash.example",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s := lyceumtest.Start(t, lyceumtest.WithDemo(), lyceumtest.With(server.WithPolicy(privateOnly)))
			count := func() int {
				_, list, err := s.Do(t.Context(), http.MethodGet, "/v2/people?filter[email][end]=@school.example", "")
				is.NoErr(err)
				return strings.Count(list, `"email":`)
			}
			_, err := tc.load(s, tc.refused)
			is.Equal(err.Error(), tc.want)
			is.Equal(count(), 0)
			created, err := tc.load(s, tc.good)
			is.NoErr(err)
			is.Equal(created, 1)
			is.Equal(count(), 1)
		})
	}
}
