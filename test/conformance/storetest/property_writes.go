package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/google/uuid"
	"lyceum/domain/property"
	"lyceum/ports"
)

// propertyMethods contains the methods of ports.PropertyReader and ports.PropertyRepo.
var propertyMethods = []portMethod{
	{port: "Properties", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Properties, func(d property.State) bool { return d.ID == theirs.property.ID })
	}},
	{port: "Properties", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		d, err := r.Properties.Get(ctx, theirs.property.ID)
		return d.Name, err
	}},
	{port: "Properties", method: "Defined", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		found, err := r.Properties.Defined(ctx, property.People)
		n := 0
		for _, d := range found {
			if d.ID == theirs.property.ID {
				n++
			}
		}
		return n, err
	}},
	{port: "Properties", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		d, err := tx.Properties.GetForUpdate(ctx, theirs.property.ID)
		return d.State().Name, err
	}},
	{port: "Properties", method: "NamedForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Properties.NamedForShare(ctx, property.People, []string{theirs.property.Name})
		return len(found), err
	}},
	{port: "Properties", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		// The name is the name of the other school's definition.
		d := theirs.property
		d.ID = property.ID{UUID: theirs.ids.New()}
		return nil, tx.Properties.Add(ctx, property.Restore(d))
	}},
	{port: "Properties", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		d := theirs.property
		d.Filterable = !d.Filterable
		return nil, tx.Properties.Save(ctx, property.Restore(d))
	}},
	{port: "Properties", method: "CountValues", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		n, err := tx.Properties.CountValues(ctx, theirs.property, nil)
		return int(n), err
	}},
	{port: "Properties", method: "RemoveValues", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		n, err := tx.Properties.RemoveValues(ctx, theirs.property)
		return int(n), err
	}},
	{port: "Properties", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Properties.Delete(ctx, theirs.property.ID)
	}},
}

var propertyCase = &listCase[property.State]{
	name:   "Properties",
	schema: property.Schema.With("link", "https://lyceum.test/properties/", "name", ".html"),
	of:     func(r ports.Reader) ports.Lister[property.State] { return r.Properties },
	ids:    func(row property.State) []uuid.UUID { return []uuid.UUID{row.ID.UUID} },
	words:  []string{"people", "GROUP", "one_of", "property_1"},
	write:  writeProperties,
}

// writeProperties adds as many definitions as there are texts. Their names do not depend on the
// texts.
func writeProperties(s tenant, rnd *rand.Rand, texts []string) []property.State {
	s.t.Helper()
	var rows []property.State
	var records []any
	for i := range texts {
		d := s.newProperty(pick(rnd, property.Resources()), fmt.Sprintf("property_%d", i), pick(rnd, property.Kinds()))
		d.ID, d.Filterable = property.ID{UUID: randomID(rnd)}, rnd.IntN(2) == 0
		d.CreatedAt, d.UpdatedAt = pick(rnd, moments), pick(rnd, moments)
		rows, records = append(rows, d), append(records, d)
	}
	s.save(records...)
	return rows
}
