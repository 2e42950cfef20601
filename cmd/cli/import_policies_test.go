package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/test/kit/pgtest"
)

// TestImportPolicies imports a person whom an added rule refuses, into an existing school and into
// a new one.
func TestImportPolicies(t *testing.T) {
	env, dir := onPostgres(t, pgtest.DSN(t)), t.TempDir()
	rules := server.Extend(server.WithPolicy(policy.Set{
		CreatePerson: policy.Rules[policy.CreatingPerson]{{Check: func(policy.CreatingPerson) error {
			return fault.Invalidf("email", "is blocked")
		}}},
	}))
	for _, tt := range []struct {
		args    []string
		create  bool
		refused bool
	}{
		{nil, false, true},
		{[]string{"--policies=default"}, false, true},
		{[]string{"--policies=ask"}, false, true},
		{[]string{"--policies=skip"}, false, false},
		{nil, true, false},
		{[]string{"--policies=default"}, true, false},
		{[]string{"--policies=ask"}, true, true},
		{[]string{"--policies=skip"}, true, false},
	} {
		name, way := "School "+uuid.NewString(), "--school"
		if tt.create {
			way = "--create"
		}
		t.Run(strings.Join(append(tt.args, way), " "), func(t *testing.T) {
			is := is.New(t)
			file := filepath.Join(dir, uuid.NewString()+".jsonl")
			is.NoErr(os.WriteFile(file, []byte(`{"kind": "school", "format": 1, "name": "`+name+`"}
{"kind": "person", "email": "new@example.test"}
{"kind": "end"}
`), 0o600))
			args := append([]string{"import", file, "--files.dir=" + filepath.Join(dir, "files"), way}, tt.args...)
			if !tt.create {
				args = append(args[:3], append([]string{"--school=" + must(t, env, "school", "create", "--name="+name)}, tt.args...)...)
			}
			var out, err output
			code := terminal{out: &out, err: &err, extension: rules}.run(t.Context(), args, env.lookup)
			if tt.refused {
				is.Equal(code, 1)
				is.Equal(err.String(), "lyceum: line 2: person: email: is blocked\n")
				return
			}
			is.Equal(code, 0)
			is.True(strings.Contains(err.String(), "person  1 "))
		})
	}
	code, _, stderr := lyceum(t, env, "import", "x.jsonl", "--create", "--policies=never")
	is := is.New(t)
	is.Equal(code, 2)
	is.True(strings.Contains(stderr, "--policies"))
}
