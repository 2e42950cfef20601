package methods

import (
	"context"

	"lyceum/domain/property"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// propertyMethods contains the methods of ports.PropertyReader and ports.PropertyRepo.
var propertyMethods = []portMethod{
	{port: "Properties", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Properties, func(d property.State) bool { return d.ID == theirs.Property.ID })
	}},
	{port: "Properties", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		d, err := r.Properties.Get(ctx, theirs.Property.ID)
		return d.Name, err
	}},
	{port: "Properties", method: "Defined", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		found, err := r.Properties.Defined(ctx, property.People)
		n := 0
		for _, d := range found {
			if d.ID == theirs.Property.ID {
				n++
			}
		}
		return n, err
	}},
	{port: "Properties", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		d, err := tx.Properties.GetForUpdate(ctx, theirs.Property.ID)
		return d.State().Name, err
	}},
	{port: "Properties", method: "NamedForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Properties.NamedForShare(ctx, property.People, []string{theirs.Property.Name})
		return len(found), err
	}},
	{port: "Properties", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// The name is the name of the other school's definition.
		d := theirs.Property
		d.ID = property.ID{UUID: theirs.IDs.New()}
		return nil, tx.Properties.Add(ctx, property.Restore(d))
	}},
	{port: "Properties", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		d := theirs.Property
		d.Filterable = !d.Filterable
		return nil, tx.Properties.Save(ctx, property.Restore(d))
	}},
	{port: "Properties", method: "CountValues", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		n, err := tx.Properties.CountValues(ctx, theirs.Property, nil)
		return int(n), err
	}},
	{port: "Properties", method: "RemoveValues", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		n, err := tx.Properties.RemoveValues(ctx, theirs.Property)
		return int(n), err
	}},
	{port: "Properties", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Properties.Delete(ctx, theirs.Property.ID)
	}},
}
