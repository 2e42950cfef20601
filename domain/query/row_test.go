package query_test

import (
	"math/big"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// row is a record with an attribute of every kind. In the zero row all nullable attributes are nil.
type row struct {
	ID          uuid.UUID
	Name        string
	FullName    string
	Email       *string
	Ref         string
	Owner       *uuid.UUID
	CourseCount int64
	Score       *big.Rat
	Enabled     bool
	StartOn     *time.Time
	CreatedAt   time.Time
	SeenAt      *time.Time
	Tags        []tag
	Secret      string
}

type tag struct{ uuid.UUID }

// rows is the schema that most tests in this package use. The attribute link is
// https://lms.test/c/<name>/cover.
var rows = query.Define(
	query.UUIDField("uuid", func(r *row) uuid.UUID { return r.ID }),
	query.TextField("name", func(r *row) string { return r.Name }).Searched(),
	query.TextField("full_name", func(r *row) string { return r.FullName }),
	query.OptionalText("email", func(r *row) *string { return r.Email }).Searched(),
	query.TokenField("ref", func(r *row) string { return r.Ref }),
	query.OptionalUUID("owner.id", func(r *row) *uuid.UUID { return r.Owner }),
	query.IntegerField("course_count", func(r *row) int64 { return r.CourseCount }),
	query.OptionalNumber("score", func(r *row) *big.Rat { return r.Score }),
	query.BooleanField("enabled", func(r *row) bool { return r.Enabled }),
	query.DateField("start_on", func(r *row) *time.Time { return r.StartOn }),
	query.TimeField("created_at", func(r *row) time.Time { return r.CreatedAt }),
	query.OptionalTime("seen_at", func(r *row) *time.Time { return r.SeenAt }),
	query.UUIDsField("tags.id", func(r *row) []tag { return r.Tags }),
	query.TextField("secret", func(r *row) string { return r.Secret }).Hidden(),
).OrderBy("name").With("link", "https://lms.test/c/", "name", "/cover")

// numbered returns the n-th id of an ascending sequence.
func numbered(n byte) uuid.UUID { return uuid.UUID{15: n} }

// at parses a time such as 2026-01-02T15:04:05.123Z.
func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}
