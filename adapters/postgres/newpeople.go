package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// addPeople is addPerson for many; its arguments are those, each as an array.
const addPeople = `
	INSERT INTO people (school_id, id, email, email_key, email_fold,
		first_name, first_name_fold, last_name, last_name_fold, full_name, full_name_fold,
		avatar_url, avatar_url_fold, activated_at, unsubscribed, created_at, updated_at)
	SELECT $1, p.* FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[],
		$6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
		$12::text[], $13::text[], $14::timestamptz[], $15::boolean[], $16::timestamptz[], $17::timestamptz[]) p
	ON CONFLICT (school_id, email_key) DO NOTHING RETURNING id`

// AddIfAbsent keeps those of ps whose address is free. They are inserted in the
// order of their keys: two transactions that insert some of the same would wait
// for each other if each began with what the other ends with.
func (c personRepo) AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error) {
	if len(ps) == 0 {
		return nil, translate(ctx, ctx.Err())
	}
	sorted := slices.Clone(ps)
	slices.SortStableFunc(sorted, func(a, b person.Person) int {
		return cmp.Compare(text.Key(a.State().Email), text.Key(b.State().Email))
	})
	rows := make([][]any, len(sorted))
	for i, p := range sorted {
		rows[i] = c.args(p.State())[1:]
	}
	var ids []person.ID
	err := c.all(ctx, &ids, addPeople, append([]any{c.school}, transposed(rows)...)...)
	return ids, err
}

// transposed returns the columns of rows, each as an array of texts that the
// statement casts.
func transposed(rows [][]any) []any {
	columns := make([]any, len(rows[0]))
	for i := range columns {
		column := make([]*string, len(rows))
		for n, row := range rows {
			column[n] = inArray(row[i])
		}
		columns[i] = pq.Array(column)
	}
	return columns
}

// inArray returns an argument as an element of an array, nil for null.
func inArray(arg any) *string {
	var s string
	switch v := arg.(type) {
	case *string:
		return v
	case *time.Time:
		if v == nil {
			return nil
		}
		s = instant(*v)
	case time.Time:
		s = instant(v)
	case string:
		s = v
	case uuid.UUID:
		s = v.String()
	default:
		s = fmt.Sprint(v)
	}
	return &s
}
