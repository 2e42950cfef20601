package pgdb

import (
	"testing"

	"github.com/matryer/is"
)

func TestCommits(t *testing.T) {
	for _, tt := range []struct {
		statement string
		want      bool
	}{
		{"SELECT name FROM people WHERE id = $1", false},
		{"WITH found AS (SELECT id FROM people) SELECT count(*) FROM found", false},
		{"SELECT id FROM jobs FOR UPDATE SKIP LOCKED", false},
		{"INSERT INTO people (id) VALUES ($1) RETURNING id", true},
		{"WITH added AS (\n\tINSERT INTO people (id) VALUES ($1) RETURNING id) SELECT count(*) FROM added", true},
		{"UPDATE jobs\n\tSET lease = $1 RETURNING id", true},
		{"DELETE FROM jobs WHERE id = $1 RETURNING id", true},
	} {
		t.Run(tt.statement, func(t *testing.T) {
			is.New(t).Equal(commits(tt.statement), tt.want)
		})
	}
}
