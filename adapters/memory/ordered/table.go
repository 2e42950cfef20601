package ordered

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

// Kind says what a table must know about its rows.
type Kind[T any] struct {
	Name   string // plural noun
	Schema query.Schema[T]
	ID     func(*T) uuid.UUID
	Clone  func(T) T // shares nothing that can be changed
	Unique []Unique[T]
	// Sections are the attributes by which the rows are kept once more.
	Sections []Section[*query.Record[T]]
}

// Unique is a text attribute whose key no two rows of a table share.
type Unique[T any] struct {
	Field string
	Text  func(*T) string
	Key   func(string) string
}

// Table is the rows of one kind. Rows are never changed, only replaced, so that
// the states in which they stand may share them.
type Table[T any] struct {
	Kind[T]
	ByID  Dict[uuid.UUID, *query.Record[T]]
	Rows  Index[*query.Record[T]]          // in the schema's default order
	byKey []Dict[string, *query.Record[T]] // for each unique text, by its key
}

// NewTable returns an empty table of kind k.
func NewTable[T any](k Kind[T]) *Table[T] {
	t := &Table[T]{
		Kind: k,
		ByID: NewDict[uuid.UUID, *query.Record[T]](CompareIDs),
		Rows: NewIndex(Order[*query.Record[T]]{
			Compare: k.Schema.Compare(k.Schema.Default()), Sections: k.Sections,
		}),
		byKey: make([]Dict[string, *query.Record[T]], len(k.Unique)),
	}
	for i := range t.byKey {
		t.byKey[i] = NewDict[string, *query.Record[T]](strings.Compare)
	}
	return t
}

// Copy returns a table with the same rows that changes on its own.
func (t *Table[T]) Copy() *Table[T] {
	c := *t
	c.ByID, c.Rows = t.ByID.Copy(), t.Rows.Copy()
	c.byKey = make([]Dict[string, *query.Record[T]], len(t.byKey))
	for i, keys := range t.byKey {
		c.byKey[i] = keys.Copy()
	}
	return &c
}

// List returns copies of the rows of q's page.
func (t *Table[T]) List(ctx context.Context, q query.Query) (query.Result[T], error) {
	page, err := Listing[*query.Record[T], T]{
		Schema: t.Schema,
		Rows:   t.Rows,
		Show:   func(r *query.Record[T]) *query.Record[T] { return r },
		ByID:   t.ByID.Ordered(),
		Find:   t.finders(),
	}.List(ctx, q)
	for i, row := range page.Items {
		page.Items[i] = t.Clone(row)
	}
	return page, err
}

// Has tells whether there is a row id.
func (t *Table[T]) Has(id uuid.UUID) bool {
	_, ok := t.ByID.Get(id)
	return ok
}

// Get returns a copy of the row id, NotFound when there is none.
func (t *Table[T]) Get(id uuid.UUID) (T, error) {
	r, ok := t.ByID.Get(id)
	if !ok {
		var none T
		return none, fault.Missing()
	}
	return t.Clone(r.Row), nil
}

// identifier is an id of the domain.
type identifier interface{ ~struct{ uuid.UUID } }

// GetMany returns what restore makes of those of the rows ids that there are, by id.
func GetMany[K identifier, T, V any](t *Table[T], ids []K, restore func(T) V) map[K]V {
	found := make(map[K]V, len(ids))
	for _, id := range ids {
		if row, err := t.Get(struct{ uuid.UUID }(id).UUID); err == nil {
			found[id] = restore(row)
		}
	}
	return found
}

// Holder returns the row that has text, or one alike, in a unique field.
func (t *Table[T]) Holder(field, text string) (*query.Record[T], bool) {
	i := slices.IndexFunc(t.Unique, func(u Unique[T]) bool { return u.Field == field })
	return t.byKey[i].Get(t.Unique[i].Key(text))
}

// Insert keeps a copy of a new row. A unique text that another row has is
// Invalid; an id that is there already is an error.
func (t *Table[T]) Insert(row T) error {
	if id := t.ID(&row); t.Has(id) {
		return fmt.Errorf("memory: %s: %w: %s", t.Name, ports.ErrKnown, id)
	}
	return t.put(nil, row)
}

// Update replaces the row id by what change makes of it, NotFound when there is
// none; a unique text that another row has is Invalid. What the row points at
// is shared: change may replace it but not write to it, and leaves the id.
func (t *Table[T]) Update(id uuid.UUID, change func(*T)) error {
	old, ok := t.ByID.Get(id)
	if !ok {
		return fault.Missing()
	}
	row := old.Row
	change(&row)
	return t.put(old, row)
}

// Add gives each of the rows n, by id, its number, which change adds to a count.
func (t *Table[T]) Add(n map[uuid.UUID]int64, change func(*T, int64)) error {
	for id, n := range n {
		if err := t.Update(id, func(row *T) { change(row, n) }); err != nil {
			return err
		}
	}
	return nil
}

// Remove forgets the row id, NotFound when there is none.
func (t *Table[T]) Remove(id uuid.UUID) error {
	r, ok := t.ByID.Get(id)
	if !ok {
		return fault.Missing()
	}
	t.ByID.Remove(id)
	t.Rows.Remove(r)
	for i, u := range t.Unique {
		t.byKey[i].Remove(u.keyOf(r))
	}
	return nil
}

// put keeps a copy of row in the place of old, which is nil when row is new.
func (t *Table[T]) put(old *query.Record[T], row T) error {
	r := t.Schema.Record(t.Clone(row))
	id := t.ID(&r.Row)
	for i, u := range t.Unique {
		if holder, ok := t.byKey[i].Get(u.keyOf(r)); ok && holder != old {
			return fault.Taken(u.Field, t.Name, t.ID(&holder.Row))
		}
	}
	if old != nil {
		t.Rows.replace(old, r)
	} else {
		t.Rows.Set(r)
	}
	t.ByID.Set(id, r)
	for i, u := range t.Unique {
		if old != nil && u.keyOf(old) != u.keyOf(r) {
			t.byKey[i].Remove(u.keyOf(old))
		}
		t.byKey[i].Set(u.keyOf(r), r)
	}
	return nil
}

func (u Unique[T]) keyOf(r *query.Record[T]) string { return u.Key(u.Text(&r.Row)) }
