// Package intercept calls a hook before every call of a store that can return an error, so that a
// test can record the calls or make one of them fail. The wrappers of the repositories in
// wrappers.go are generated from the interfaces of package ports. Start with Store.
package intercept

import (
	"context"

	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Hook runs before a call. The name of the call has a form such as "Tx.Courses.GetForUpdate". If
// Hook returns an error, the wrapper returns that error without making the call. Several goroutines
// may call Hook concurrently.
type Hook func(ctx context.Context, call string) error

// Store returns a store that calls h before every call of to, and of its repositories, snapshots
// and loads, that can return an error. Before a transaction or a load is committed, it also calls h
// with the name "Commit".
func Store(to ports.Store, h Hook) ports.Store { return store{to, h} }

// Schools returns a ports.Schools that calls h before every call of to.
func Schools(to ports.Schools, h Hook) ports.Schools { return schools{h, to} }

// Queue returns a queue that calls h before every call of to that can return an error.
func Queue(to ports.Queue, h Hook) ports.Queue { return queue{h, to} }

type store struct {
	to   ports.Store
	hook Hook
}

// Read implements ports.Store.
func (s store) Read(id school.ID) ports.Reader { return wrapReader(s.hook, s.to.Read(id)) }

// InTx implements ports.Store.
func (s store) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	if err := s.hook(ctx, "InTx"); err != nil {
		return err
	}
	return s.to.InTx(ctx, id, s.wrapped(fn))
}

// InLongTx implements ports.Store.
func (s store) InLongTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	if err := s.hook(ctx, "InLongTx"); err != nil {
		return err
	}
	return s.to.InLongTx(ctx, id, s.wrapped(fn))
}

func (s store) wrapped(fn func(ctx context.Context, tx ports.Tx) error) func(ctx context.Context, tx ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		if err := fn(ctx, wrapTx(s.hook, tx)); err != nil {
			return err
		}
		return s.hook(ctx, "Commit")
	}
}

// AddPerson implements ports.Store.
func (s store) AddPerson(ctx context.Context, id school.ID, p ports.NewPerson) (*person.Summary, error) {
	if err := s.hook(ctx, "AddPerson"); err != nil {
		return nil, err
	}
	return s.to.AddPerson(ctx, id, p)
}

// Ready implements ports.Store.
func (s store) Ready(ctx context.Context) error {
	if err := s.hook(ctx, "Ready"); err != nil {
		return err
	}
	return s.to.Ready(ctx)
}

// Snapshot implements ports.Snapshots.
func (s store) Snapshot(ctx context.Context, id school.ID, fn func(ctx context.Context, s ports.Snapshot) error) error {
	if err := s.hook(ctx, "Snapshot"); err != nil {
		return err
	}
	return s.to.Snapshot(ctx, id, func(ctx context.Context, from ports.Snapshot) error {
		return fn(ctx, snapshot{s.hook, from})
	})
}

// Load implements ports.Loader.
func (s store) Load(ctx context.Context, id school.ID, fn func(ctx context.Context, l ports.LoadTx) error) error {
	if err := s.hook(ctx, "Load"); err != nil {
		return err
	}
	return s.to.Load(ctx, id, s.loading(fn))
}

// LoadNewSchool implements ports.Loader.
func (s store) LoadNewSchool(ctx context.Context, made school.School, fn func(ctx context.Context, l ports.LoadTx) error) error {
	if err := s.hook(ctx, "LoadNewSchool"); err != nil {
		return err
	}
	return s.to.LoadNewSchool(ctx, made, s.loading(fn))
}

func (s store) loading(fn func(ctx context.Context, l ports.LoadTx) error) func(ctx context.Context, l ports.LoadTx) error {
	return func(ctx context.Context, l ports.LoadTx) error {
		if err := fn(ctx, load{s.hook, l}); err != nil {
			return err
		}
		return s.hook(ctx, "Commit")
	}
}

type load struct {
	hook Hook
	to   ports.LoadTx
}

// Add implements ports.LoadTx.
func (l load) Add(ctx context.Context, b ports.Batch) error {
	if err := l.hook(ctx, "Load.Add"); err != nil {
		return err
	}
	return l.to.Add(ctx, b)
}

// Tx implements ports.LoadTx.
func (l load) Tx() ports.Tx { return wrapTx(l.hook, l.to.Tx()) }
