package query_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/query"
)

type ownerID struct{ uuid.UUID }

// ownedRow is a row with an ID and a set of IDs.
type ownedRow struct {
	id     uuid.UUID
	owners []ownerID
}

func TestHasAnyID(t *testing.T) {
	a, b, c := uuid.UUID{15: 1}, uuid.UUID{15: 2}, uuid.UUID{15: 3}
	schema := query.Define(
		query.UUIDField("uuid", func(r *ownedRow) uuid.UUID { return r.id }),
		query.UUIDsField("owners.id", func(r *ownedRow) []ownerID { return r.owners }),
	)
	row := ownedRow{a, []ownerID{{b}, {c}}}
	for _, tt := range []struct {
		name string
		cond query.Cond
		want bool
	}{
		{"the ID", query.HasID(schema.Attr("uuid"), a), true},
		{"another ID", query.HasID(schema.Attr("uuid"), b), false},
		{"a member of the set", query.HasID(schema.Attr("owners.id"), c), true},
		{"no member of the set", query.HasID(schema.Attr("owners.id"), a), false},
		{"one of several IDs", query.HasAnyID(schema.Attr("uuid"), []ownerID{{b}, {a}}), true},
		{"none of several IDs", query.HasAnyID(schema.Attr("uuid"), []ownerID{{b}, {c}}), false},
		{"one of several members", query.HasAnyID(schema.Attr("owners.id"), []ownerID{{a}, {c}}), true},
		{"no IDs", query.HasAnyID(schema.Attr("uuid"), []ownerID{}), false},
		{"no IDs, for a set", query.HasAnyID(schema.Attr("owners.id"), []ownerID(nil)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := schema.Evaluate(query.Query{Where: tt.cond, Page: query.NewPage(1, 1)}, []ownedRow{row})
			is.New(t).Equal(len(found.Items) == 1, tt.want)
		})
	}
}
