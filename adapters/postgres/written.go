package postgres

import (
	"fmt"
	"strings"
)

// written is a column of a table that a repository writes from a T.
type written[T any] struct {
	name string
	kind string // the type in Postgres
	of   func(T) any
}

// writtenColumns is the columns of a table that a repository writes, apart from
// school_id and id. They are the only place that names the columns for insertions,
// updates and COPY.
type writtenColumns[T any] []written[T]

// firstWritten is the parameter of the first column: $1 is the school, $2 the id.
const firstWritten = 3

// values returns the values of v.
func (cs writtenColumns[T]) values(v T) []any {
	values := make([]any, len(cs))
	for i, c := range cs {
		values[i] = c.of(v)
	}
	return values
}

// names returns school_id, id and the names of the columns.
func (cs writtenColumns[T]) names() []string {
	names := []string{"school_id", "id"}
	for _, c := range cs {
		names = append(names, c.name)
	}
	return names
}

// list returns the names for INSERT.
func (cs writtenColumns[T]) list() string { return strings.Join(cs.names(), ", ") }

// parameters returns the parameters of the columns, the first of which is $first.
func (cs writtenColumns[T]) parameters(first int) string {
	return cs.join(func(i int, _ written[T]) string { return fmt.Sprintf("$%d", first+i) })
}

// arrays returns the parameters of the columns as arrays.
func (cs writtenColumns[T]) arrays() string {
	return cs.join(func(i int, c written[T]) string { return fmt.Sprintf("$%d::%s[]", firstWritten+i, c.kind) })
}

// assignments returns the assignments of the parameters for UPDATE.
func (cs writtenColumns[T]) assignments() string {
	return cs.join(func(i int, c written[T]) string { return fmt.Sprintf("%s = $%d", c.name, firstWritten+i) })
}

func (cs writtenColumns[T]) join(part func(int, written[T]) string) string {
	parts := make([]string, len(cs))
	for i, c := range cs {
		parts[i] = part(i, c)
	}
	return strings.Join(parts, ", ")
}
