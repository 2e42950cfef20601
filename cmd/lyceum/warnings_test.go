package main

import (
	"testing"

	"github.com/matryer/is"
)

func TestWarningsAboutWork(t *testing.T) {
	const never = "worker.count is 0 on the store memory, which no other server shares, so no letter is delivered and no bulk request applied."
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"the defaults", nil, nil},
		{"nobody works in memory", []string{"--worker.count=0"}, []string{never}},
		{
			"others work on the same database",
			[]string{
				"--worker.count=0", "--store=postgres", "--database.url=x", "--files.secret=01234567890123456789012345678901",
				"--mail.mode=smtp", "--mail.from=a@b.test", "--mail.host=h",
			},
			nil,
		},
		{
			"links that end with the server",
			[]string{"--store=postgres", "--database.url=x", "--mail.mode=smtp", "--mail.from=a@b.test", "--mail.host=h"},
			[]string{"files.secret is not set, so links to files hold on this server only, until it stops."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg, err := settings(nil, tt.args...)
			is.NoErr(err)
			is.Equal(warnings(cfg), tt.want)
		})
	}
}
