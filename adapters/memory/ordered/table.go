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

// Kind describes the rows of a table.
type Kind[T any] struct {
	Name   string // plural noun
	Schema query.Schema[T]
	ID     func(*T) uuid.UUID
	Clone  func(T) T // deep copy
	Unique []Unique[T]
	// Sections are the attributes for which the index of the rows has an additional tree (see
	// Section).
	Sections []Section[*query.Record[T]]
}

// Unique is a text attribute whose keys are unique in a table.
type Unique[T any] struct {
	Field string
	Text  func(*T) string
	Key   func(string) string // normalizes a text for comparison
}

// Table is a set of rows of one kind, indexed by id, by list order and by unique text. Rows are
// immutable; a change replaces them, so copies of a table share rows.
type Table[T any] struct {
	Kind[T]
	ByID  Keyed[uuid.UUID, *query.Record[T]]
	Rows  Index[*query.Record[T]]          // in the default order of the schema
	byKey []Dict[string, *query.Record[T]] // rows by key, for each of Kind.Unique
	Log   *Log                             // rows written since the table was copied
}

// NewTable returns an empty table of kind k.
func NewTable[T any](k Kind[T]) *Table[T] {
	t := &Table[T]{
		Kind: k,
		ByID: NewKeyed(func(r *query.Record[T]) uuid.UUID { return k.ID(&r.Row) }, CompareIDs),
		Rows: NewIndex(Order[*query.Record[T]]{
			Compare: k.Schema.Compare(k.Schema.Default()), Sections: k.Sections,
		}),
		byKey: make([]Dict[string, *query.Record[T]], len(k.Unique)),
		Log:   &Log{},
	}
	for i := range t.byKey {
		t.byKey[i] = NewDict[string, *query.Record[T]](strings.Compare)
	}
	return t
}

// Copy returns a table with the same rows that can be changed independently.
func (t *Table[T]) Copy() *Table[T] {
	c := *t
	c.ByID, c.Rows, c.Log = t.ByID.Copy(), t.Rows.Copy(), &Log{}
	c.byKey = make([]Dict[string, *query.Record[T]], len(t.byKey))
	for i, keys := range t.byKey {
		c.byKey[i] = keys.Copy()
	}
	return &c
}

// List returns copies of the rows on the page of q.
func (t *Table[T]) List(ctx context.Context, q query.Query) (query.Result[T], error) {
	l := Listing{
		attributes: t.Schema.Attributes(), rows: t.Rows.rows(), byID: t.ByID.Ordered(), find: t.finder,
		show: func(r any) query.Entry { return r.(*query.Record[T]).Entry() },
	}
	page, err := List[T](ctx, l, q)
	for i, row := range page.Items {
		page.Items[i] = t.Clone(row)
	}
	return page, err
}

// Has reports whether the row id exists.
func (t *Table[T]) Has(id uuid.UUID) bool {
	_, ok := t.ByID.Get(id)
	return ok
}

// Get returns a copy of the row id, or NotFound if it does not exist.
func (t *Table[T]) Get(id uuid.UUID) (T, error) {
	r, ok := t.ByID.Get(id)
	if !ok {
		var none T
		return none, fault.RecordNotFound()
	}
	return t.Clone(r.Row), nil
}

// Identifier is an id type of the domain.
type Identifier interface{ ~struct{ uuid.UUID } }

// UUID returns the UUID of id.
func UUID[K Identifier](id K) uuid.UUID { return struct{ uuid.UUID }(id).UUID }

// SortIDs sorts ids in the order of CompareIDs.
func SortIDs[K Identifier](ids []K) {
	slices.SortFunc(ids, func(a, b K) int { return CompareIDs(UUID(a), UUID(b)) })
}

// GetMany returns the rows with the given ids, converted by restore and keyed by id. It omits ids
// without a row.
func GetMany[K Identifier, T, V any](t *Table[T], ids []K, restore func(T) V) map[K]V {
	found := make(map[K]V, len(ids))
	for _, id := range ids {
		if row, err := t.Get(UUID(id)); err == nil {
			found[id] = restore(row)
		}
	}
	return found
}

// Holder returns the row whose text in the unique field has the same key as text, and reports
// whether there is one.
func (t *Table[T]) Holder(field, text string) (*query.Record[T], bool) {
	i := t.unique(field)
	return t.byKey[i].Get(t.Unique[i].Key(text))
}

// unique returns the position of field in Kind.Unique.
func (t *Table[T]) unique(field string) int {
	return slices.IndexFunc(t.Unique, func(u Unique[T]) bool { return u.Field == field })
}

// Holders returns the rows that have one of texts in a unique field, converted by of and keyed by
// the key of the text.
func Holders[T, V any](t *Table[T], field string, texts []string, of func(T) V) map[string]V {
	found := make(map[string]V, len(texts))
	for _, text := range texts {
		if r, ok := t.Holder(field, text); ok {
			found[t.Unique[t.unique(field)].keyOf(r)] = of(t.Clone(r.Row))
		}
	}
	return found
}

// Insert adds a copy of row. It returns Invalid if another row has the same unique text, and
// ErrExists if the id exists.
func (t *Table[T]) Insert(row T) error {
	if id := t.ID(&row); t.Has(id) {
		return fmt.Errorf("memory: %s: %w: %s", t.Name, ports.ErrExists, id)
	}
	return t.put(nil, row)
}

// Update applies change to a copy of the row id and replaces the row with the copy. It returns
// NotFound if the row does not exist, and Invalid if another row has the same unique text as the
// copy. The copy is shallow: change may replace pointers and slices but must not write through
// them, and must not change the id.
func (t *Table[T]) Update(id uuid.UUID, change func(*T)) error {
	old, ok := t.ByID.Get(id)
	if !ok {
		return fault.RecordNotFound()
	}
	row := old.Row
	change(&row)
	return t.put(old, row)
}

// Add calls Update for each id in n. change gets a copy of the row and the number n[id].
func (t *Table[T]) Add(n map[uuid.UUID]int64, change func(*T, int64)) error {
	for id, n := range n {
		if err := t.Update(id, func(row *T) { change(row, n) }); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the row id, or returns NotFound if it does not exist.
func (t *Table[T]) Remove(id uuid.UUID) error {
	r, ok := t.ByID.Get(id)
	if !ok {
		return fault.RecordNotFound()
	}
	t.Log.add(id)
	t.ByID.Remove(id)
	t.Rows.Remove(r)
	for i, u := range t.Unique {
		t.byKey[i].Remove(u.keyOf(r))
	}
	return nil
}

// put inserts a copy of row. If old is not nil, the copy replaces old.
func (t *Table[T]) put(old *query.Record[T], row T) error {
	r := t.Schema.Record(t.Clone(row))
	id := t.ID(&r.Row)
	for i, u := range t.Unique {
		if holder, ok := t.byKey[i].Get(u.keyOf(r)); ok && holder != old {
			return fault.Taken(u.Field, t.Name, t.ID(&holder.Row))
		}
	}
	if old != nil {
		t.Rows.Replace(old, r)
	} else {
		t.Rows.Set(r)
	}
	t.Log.add(id)
	t.ByID.Set(r)
	for i, u := range t.Unique {
		if old != nil && u.keyOf(old) != u.keyOf(r) {
			t.byKey[i].Remove(u.keyOf(old))
		}
		t.byKey[i].Set(u.keyOf(r), r)
	}
	return nil
}

func (u Unique[T]) keyOf(r *query.Record[T]) string { return u.Key(u.Text(&r.Row)) }
