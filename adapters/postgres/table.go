package postgres

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
)

// A column describes a column of a table, and how the store gets its value from a value of type T.
type column[T any] struct {
	name  string
	kind  string // the type in Postgres
	value func(T) any
}

// A table describes a table that the store writes from values of type T. INSERT, UPDATE and COPY
// statements take their columns from this declaration.
type table[T any] struct {
	name       string
	columns    []column[T] // all columns except school_id, which precedes them
	insert     string      // statement that inserts one row; for its arguments see args
	insertMany string      // statement that inserts many rows; for its arguments see arrays
}

// newTable returns a table. The first column identifies a row in its school.
func newTable[T any](name string, columns []column[T]) *table[T] {
	t := &table[T]{name: name, columns: columns}
	t.insert = "INSERT INTO " + name + " (" + t.names() + ") VALUES ($1, " + t.parameters(2) + ") "
	t.insertMany = "INSERT INTO " + name + " (" + t.names() + ") SELECT $1, n.* FROM " + t.unnested(2) + " "
	return t
}

// names returns school_id and the names of the columns.
func (t *table[T]) names() string {
	return "school_id, " + t.join(func(_ int, c column[T]) string { return c.name })
}

// parameters returns the parameters of the columns, starting at $first.
func (t *table[T]) parameters(first int) string {
	return t.join(func(i int, _ column[T]) string { return fmt.Sprintf("$%d", first+i) })
}

// unnested returns a FROM item with the alias n: the rows in the array parameters that start at
// $first.
func (t *table[T]) unnested(first int) string {
	arrays := t.join(func(i int, c column[T]) string { return fmt.Sprintf("$%d::%s[]", first+i, c.kind) })
	return "unnest(" + arrays + ") n (" + strings.TrimPrefix(t.names(), "school_id, ") + ")"
}

// update returns the statement that updates a row. The method args returns its arguments.
func (t *table[T]) update() string {
	set := t.join(func(i int, c column[T]) string {
		value := fmt.Sprintf("$%d", i+2)
		switch c.kind {
		case "text":
			value = kept(c.name, value, "")
		case "jsonb": // as texts, because equal numbers can have different digits
			value = kept(c.name, value+"::jsonb", "::text")
		}
		return c.name + " = " + value
	})
	_, set, _ = strings.Cut(set, ", ") // all columns except the column that identifies the row
	return "UPDATE " + t.name + " SET " + set + " WHERE school_id = $1 AND " + t.columns[0].name + " = $2"
}

// kept returns an expression for the new value of a column, or its old value if the texts of both, which
// the suffix returns, are equal. PostgreSQL stores a long value again unless it is the old one.
func kept(old, new, suffix string) string {
	return "CASE WHEN " + old + suffix + " = " + new + suffix + " THEN " + old + " ELSE " + new + " END"
}

func (t *table[T]) join(part func(int, column[T]) string) string {
	parts := make([]string, len(t.columns))
	for i, c := range t.columns {
		parts[i] = part(i, c)
	}
	return strings.Join(parts, ", ")
}

// args returns the school and the values of v.
func (t *table[T]) args(school uuid.UUID, v T) []any {
	args := []any{school}
	for _, c := range t.columns {
		args = append(args, c.value(v))
	}
	return args
}

// arrays returns the school and, for each column, an array of the values of vs as
// texts.
func (t *table[T]) arrays(school uuid.UUID, vs []T) []any {
	args := []any{school}
	for _, c := range t.columns {
		texts := make([]*string, len(vs))
		for i, v := range vs {
			texts[i] = textOf(c.value(v))
		}
		args = append(args, pq.Array(texts))
	}
	return args
}

// textOf returns value as a text that Postgres can parse, or nil for null.
func textOf(value any) *string {
	var s string
	switch v := value.(type) {
	case nil:
		return nil
	case *string:
		return v
	case *time.Time:
		return pgdb.OptionalInstant(v)
	case time.Time:
		s = pgdb.Instant(v)
	case uuid.NullUUID:
		if !v.Valid {
			return nil
		}
		s = v.UUID.String()
	default:
		s = fmt.Sprint(v)
	}
	return &s
}
