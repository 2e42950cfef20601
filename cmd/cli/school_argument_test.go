package cli

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Each command that is about one school takes it as an argument or with --school.
func TestSchoolArgument(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"none", "school delete", "school delete: name the school, as an argument or with --school"},
		{"none to rename", "school rename", "school rename: name the school, as an argument or with --school"},
		{"both", "school suspend A --school=A", "school suspend: give the school either as an argument or with --school"},
		{"both to rename", "school rename A B --school=A", "school rename: give the school either as an argument or with --school"},
		{"no new name", "school rename A", "school rename: give the new name after the school"},
		{"no new name after the flag", "school rename --school=A", "school rename: give the new name after the school"},
		{"none to update", "school update --slug=a", "school update: name the school, as an argument or with --school"},
		{"a flag to update", "school update --school=A --slug=a", "school update: requires --store=postgres"},
		{"a flag for a secret", "school entry-secret --school=A", "school entry-secret: requires --store=postgres"},
		{"an argument", "school resume A", "school resume: requires --store=postgres"},
		{"a flag", "school resume --school=A", "school resume: requires --store=postgres"},
		{"a flag to rename", "school rename --school=A B", "school rename: requires --store=postgres"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, _, stderr := lyceum(t, nil, strings.Fields(tt.args)...)
			is.Equal(code, 1)
			is.True(strings.HasPrefix(stderr, "lyceum: "+tt.want))
		})
	}
}
