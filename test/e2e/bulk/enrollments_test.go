package bulk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit"
	"lyceum/test/kit/stores"
)

// newLargeWorld returns a world with two groups: Large has many members, and Shelf has courses with
// the permalinks c0, c1, ….
func newLargeWorld(t *testing.T, b stores.Backend, members, courses int) *world {
	t.Helper()
	w := newWorld(t, b, school.Preregistration)
	lines := []string{`{"kind": "group", "name": "Large"}`, `{"kind": "group", "name": "Shelf"}`}
	for i := range members {
		lines = append(lines, fmt.Sprintf(`{"kind": "person", "email": "m%d@example.test"}`, i),
			fmt.Sprintf(`{"kind": "membership", "group": "Large", "person": "m%d@example.test", "role": "member"}`, i))
	}
	for i := range courses {
		lines = append(lines, fmt.Sprintf(`{"kind": "course", "permalink": "c%d", "name": "Course %d"}`, i, i),
			fmt.Sprintf(`{"kind": "group_course", "group": "Shelf", "course": "c%d"}`, i))
	}
	_, secret, err := kit.School{Name: "Large", Auth: school.Preregistration, Lines: strings.Join(lines, "\n")}.Import(t.Context(), w.App)
	if err != nil {
		t.Fatal(err)
	}
	if w.actor, err = w.Auth.Authenticate(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	return w
}

// row returns a row about subject that names courses or groups.
func row(kind bulk.Kind, number int, subject string, names ...string) bulk.Row {
	targets := make([]bulk.Target, len(names))
	for i, name := range names {
		targets[i] = bulk.Target{Field: fmt.Sprintf("targets/%d", i), Name: name}
	}
	return kind.NewRow(number, subject, targets, nil, nil)
}

func (w *world) acceptRows(kind bulk.Kind, rows ...bulk.Row) bulk.ID {
	w.t.Helper()
	j, err := w.Bulk.Accept(w.t.Context(), w.actor, kind, rows)
	if err != nil {
		w.t.Fatal(err)
	}
	return j.ID
}

// enrollments returns the number of enrollments in the school.
func (w *world) enrollments() int {
	w.t.Helper()
	people, err := w.People.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	is.New(w.t).NoErr(err)
	n := int64(0)
	for _, p := range people.Items {
		n += p.CourseCount
	}
	return int(n)
}

func permalinks(from, to int) []string {
	var names []string
	for i := from; i < to; i++ {
		names = append(names, fmt.Sprintf("c%d", i))
	}
	return names
}

// TestLargePartIsSplit checks the limit of 100,000 new enrollments: a row that exceeds the limit
// fails, and rows that together exceed it are applied by several jobs.
func TestLargePartIsSplit(t *testing.T) {
	onEachStore(t, func(t *testing.T, b stores.Backend) {
		is, w := is.New(t), newLargeWorld(t, b, 501, 201)
		id := w.acceptRows(bulk.Groups,
			row(bulk.Groups, 0, "Large", permalinks(0, 200)...), // adds 100,200
			row(bulk.Groups, 1, "Large", permalinks(0, 2)...),   // adds 1,002
			row(bulk.Groups, 2, "Large", permalinks(2, 200)...), // adds 99,198: too many together with the rows above
			row(bulk.Groups, 3, "New", permalinks(0, 201)...),   // adds none
		)
		is.True(w.applyNext(w.App))
		j := w.job(id)
		is.Equal([]int{j.RowsTotal, j.RowsDone, j.RowsFailed}, []int{4, 2, 1})
		is.Equal(j.Errors[0].Field, "targets/199")
		is.Equal(j.Errors[0].Detail, "would add 100200 enrollments (maximum is 100000 per request)")
		is.Equal(w.enrollments(), 2*501)
		waiting, err := w.Queue.List(t.Context(), bulk.JobKind)
		is.NoErr(err)
		is.Equal(len(waiting), 1)
	})
}

// TestAllRowsOfALargePartAreApplied checks that several jobs apply all rows of a large part.
func TestAllRowsOfALargePartAreApplied(t *testing.T) {
	for kind, rows := range map[bulk.Kind]func(i int) bulk.Row{
		bulk.Groups: func(i int) bulk.Row { return row(bulk.Groups, i, "Large", permalinks(2*i, 2*i+2)...) },
		bulk.People: func(i int) bulk.Row {
			return row(bulk.People, i, fmt.Sprintf("new%d@example.test", i), "Shelf", "Large", "Shelf")
		},
	} {
		t.Run(kind.String(), func(t *testing.T) {
			is, w := is.New(t), newLargeWorld(t, stores.Memory(), 800, 1200)
			var all []bulk.Row
			for i := range 17 { // rows that add 1,600 or 1,200 enrollments; a part adds at most 5,000
				all = append(all, rows(i))
			}
			id := w.acceptRows(kind, all...)
			steps := 0
			for w.applyNext(w.App) {
				steps++
			}
			is.Equal(w.job(id).Status(), bulk.Completed)
			is.Equal(w.job(id).RowsFailed, 0)
			is.Equal([]int{steps, w.enrollments()}, map[bulk.Kind][]int{
				bulk.Groups: {6, 17 * 1600}, bulk.People: {5, 17 * 1200},
			}[kind])
		})
	}
}
