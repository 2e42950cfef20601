// Package readonly makes the store of a server temporarily read-only, for example while its
// database is moved.
package readonly

import (
	"context"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Store wraps a store and refuses writes while it is read-only. Reads, snapshots and all other
// methods behave as in the wrapped store.
type Store struct {
	ports.Store
	now func() bool
}

var _ ports.Store = Store{}

// Around returns a store that wraps s and is read-only while now returns true.
func Around(s ports.Store, now func() bool) Store { return Store{s, now} }

// check returns a fault while the store is read-only. Clients receive the status 503 and try again
// later.
func (s Store) check() error {
	if s.now() {
		return fault.Unavailablef("Nothing can be changed at the moment. Try again later")
	}
	return nil
}

// InTx implements ports.Store.
func (s Store) InTx(ctx context.Context, id school.ID, fn func(context.Context, ports.Tx) error) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.InTx(ctx, id, fn)
}

// InLongTx implements ports.Store.
func (s Store) InLongTx(ctx context.Context, id school.ID, fn func(context.Context, ports.Tx) error) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.InLongTx(ctx, id, fn)
}

// AddPerson implements ports.Store.
func (s Store) AddPerson(ctx context.Context, id school.ID, p ports.NewPerson) (*person.Summary, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return s.Store.AddPerson(ctx, id, p)
}

// Load implements ports.Store.
func (s Store) Load(ctx context.Context, id school.ID, fn func(context.Context, ports.LoadTx) error) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.Load(ctx, id, fn)
}

// LoadNewSchool implements ports.Store.
func (s Store) LoadNewSchool(ctx context.Context, made school.School, fn func(context.Context, ports.LoadTx) error) error {
	if err := s.check(); err != nil {
		return err
	}
	return s.Store.LoadNewSchool(ctx, made, fn)
}
