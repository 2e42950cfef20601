package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/ports"
)

// kind is what a table has to know about its rows.
type kind[T any] struct {
	name   string // plural noun
	schema query.Schema[T]
	id     func(*T) uuid.UUID
	clone  func(T) T // shares nothing that can be changed
	unique []unique[T]
	// sections is by what the rows are kept apart too, for lists of one section.
	sections []section[*query.Record[T]]
}

// unique is a text that no two rows of a table have alike.
type unique[T any] struct {
	field string
	text  func(*T) string
	key   func(string) string // texts with the same key are alike
}

// table is the rows of one kind. Rows are never changed, only replaced, so that
// the states in which they stand may share them.
type table[T any] struct {
	kind[T]
	byID  dict[uuid.UUID, *query.Record[T]]
	rows  index[*query.Record[T]]          // in the schema's default order
	byKey []dict[string, *query.Record[T]] // for each unique text, by its key
}

func newTable[T any](k kind[T]) *table[T] {
	t := &table[T]{
		kind: k,
		byID: newDict[uuid.UUID, *query.Record[T]](compareIDs),
		rows: newIndex(order[*query.Record[T]]{
			compare: k.schema.Compare(k.schema.Default()), sections: k.sections,
		}),
		byKey: make([]dict[string, *query.Record[T]], len(k.unique)),
	}
	for i := range t.byKey {
		t.byKey[i] = newDict[string, *query.Record[T]](strings.Compare)
	}
	return t
}

// Copy returns a table with the same rows that changes on its own.
func (t *table[T]) Copy() *table[T] {
	c := *t
	c.byID, c.rows = t.byID.Copy(), t.rows.Copy()
	c.byKey = make([]dict[string, *query.Record[T]], len(t.byKey))
	for i, keys := range t.byKey {
		c.byKey[i] = keys.Copy()
	}
	return &c
}

// list returns copies of the rows of q's page.
func (t *table[T]) list(ctx context.Context, q query.Query) (query.Result[T], error) {
	page, err := listing[*query.Record[T], T]{
		schema: t.schema,
		rows:   t.rows,
		show:   func(r *query.Record[T]) *query.Record[T] { return r },
		byID:   t.byID.ordered(),
		find:   t.finders(),
	}.list(ctx, q)
	for i, row := range page.Items {
		page.Items[i] = t.clone(row)
	}
	return page, err
}

// has tells whether there is a row id.
func (t *table[T]) has(id uuid.UUID) bool {
	_, ok := t.byID.get(id)
	return ok
}

// get returns a copy of the row id, NotFound when there is none.
func (t *table[T]) get(id uuid.UUID) (T, error) {
	r, ok := t.byID.get(id)
	if !ok {
		var none T
		return none, fault.Missing()
	}
	return t.clone(r.Row), nil
}

// identifier is an id of the domain.
type identifier interface{ ~struct{ uuid.UUID } }

// load returns what restore makes of those of the rows ids that there are, by id.
func load[K identifier, T, V any](t *table[T], ids []K, restore func(T) V) map[K]V {
	found := make(map[K]V, len(ids))
	for _, id := range ids {
		if row, err := t.get(struct{ uuid.UUID }(id).UUID); err == nil {
			found[id] = restore(row)
		}
	}
	return found
}

// holder returns the row that has text, or one alike, in a unique field.
func (t *table[T]) holder(field, text string) (*query.Record[T], bool) {
	i := slices.IndexFunc(t.unique, func(u unique[T]) bool { return u.field == field })
	return t.byKey[i].get(t.unique[i].key(text))
}

// insert keeps a copy of a new row. A unique text that another row has is
// Invalid; an id that is there already is an error.
func (t *table[T]) insert(row T) error {
	if id := t.id(&row); t.has(id) {
		return fmt.Errorf("memory: %s: %w: %s", t.name, ports.ErrKnown, id)
	}
	return t.put(nil, row)
}

// update replaces the row id by what change makes of it, NotFound when there is
// none; a unique text that another row has is Invalid. What the row points at
// is shared: change may replace it but not write to it, and leaves the id.
func (t *table[T]) update(id uuid.UUID, change func(*T)) error {
	old, ok := t.byID.get(id)
	if !ok {
		return fault.Missing()
	}
	row := old.Row
	change(&row)
	return t.put(old, row)
}

// add gives each of the rows n, by id, its number, which change adds to a count.
func (t *table[T]) add(n map[uuid.UUID]int64, change func(*T, int64)) error {
	for id, n := range n {
		if err := t.update(id, func(row *T) { change(row, n) }); err != nil {
			return err
		}
	}
	return nil
}

// remove forgets the row id, NotFound when there is none.
func (t *table[T]) remove(id uuid.UUID) error {
	r, ok := t.byID.get(id)
	if !ok {
		return fault.Missing()
	}
	t.byID.remove(id)
	t.rows.remove(r)
	for i, u := range t.unique {
		t.byKey[i].remove(u.keyOf(r))
	}
	return nil
}

// put keeps a copy of row in the place of old, which is nil when row is new.
func (t *table[T]) put(old *query.Record[T], row T) error {
	r := t.schema.Record(t.clone(row))
	id := t.id(&r.Row)
	for i, u := range t.unique {
		if holder, ok := t.byKey[i].get(u.keyOf(r)); ok && holder != old {
			return fault.Taken(u.field, t.name, t.id(&holder.Row))
		}
	}
	if old != nil {
		t.rows.replace(old, r)
	} else {
		t.rows.set(r)
	}
	t.byID.set(id, r)
	for i, u := range t.unique {
		if old != nil && u.keyOf(old) != u.keyOf(r) {
			t.byKey[i].remove(u.keyOf(old))
		}
		t.byKey[i].set(u.keyOf(r), r)
	}
	return nil
}

func (u unique[T]) keyOf(r *query.Record[T]) string { return u.key(u.text(&r.Row)) }
