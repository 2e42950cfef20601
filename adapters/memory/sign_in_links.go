package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/signin"
	"lyceum/ports"
)

func (t *signInTable) removeLink(l signin.Link) {
	t.links.Remove(l.ID.UUID)
	t.linkHashes.Remove(l.Hash)
	ids, _ := t.byAddress.Get(l.Address)
	if ids = without(ids, l.ID.UUID); len(ids) > 0 {
		t.byAddress.Set(l.Address, ids)
	} else {
		t.byAddress.Remove(l.Address)
	}
}

// Link implements ports.SignInReader.
func (r signInReader) Link(ctx context.Context, h signin.Hash) (signin.Link, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return signin.Link{}, err
	}
	id, ok := s.signIns.table.linkHashes.Get(h)
	if !ok {
		return signin.Link{}, fault.RecordNotFound()
	}
	l, _ := s.signIns.table.links.Get(id)
	return l, nil
}

// AddLink implements ports.SignInRepo.
func (r signIns) AddLink(ctx context.Context, l signin.Link) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, sameID := s.signIns.table.links.Get(l.ID.UUID)
	_, sameHash := s.signIns.table.linkHashes.Get(l.Hash)
	if sameID || sameHash {
		return fmt.Errorf("memory: sign-in links: %w", ports.ErrExists)
	}
	t := s.signIns.writable(s.version)
	if l.Address != (invitation.Address{}) {
		ids, _ := t.byAddress.Get(l.Address)
		t.byAddress.Set(l.Address, append(slices.Clip(ids), l.ID.UUID))
	}
	t.links.Set(l.ID.UUID, l)
	if l.Hash != (signin.Hash{}) {
		t.linkHashes.Set(l.Hash, l.ID.UUID)
	}
	return nil
}

// LinkForUpdate implements ports.SignInRepo.
func (r signIns) LinkForUpdate(ctx context.Context, id signin.LinkID) (signin.Link, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return signin.Link{}, err
	}
	l, ok := s.signIns.table.links.Get(id.UUID)
	if !ok {
		return signin.Link{}, fault.RecordNotFound()
	}
	return l, nil
}

// SaveLink implements ports.SignInRepo.
func (r signIns) SaveLink(ctx context.Context, changed signin.Link) error {
	before, err := r.LinkForUpdate(ctx, changed.ID)
	if err != nil {
		return err
	}
	s := r.tx.state
	if holder, ok := s.signIns.table.linkHashes.Get(changed.Hash); ok && holder != changed.ID.UUID {
		return fmt.Errorf("memory: sign-in links: %w", ports.ErrExists)
	}
	t := s.signIns.writable(s.version)
	t.linkHashes.Remove(before.Hash)
	if changed.Hash != (signin.Hash{}) {
		t.linkHashes.Set(changed.Hash, changed.ID.UUID)
	}
	before.Email, before.Hash, before.Return = changed.Email, changed.Hash, changed.Return
	before.ExpiresAt, before.UsedAt = changed.ExpiresAt, changed.UsedAt
	t.links.Set(changed.ID.UUID, before)
	return nil
}

// Requests implements ports.SignInRepo.
func (r signIns) Requests(ctx context.Context, a invitation.Address, since time.Time, forKnown bool) (n int, last time.Time, err error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, last, err
	}
	ids, _ := s.signIns.table.byAddress.Get(a)
	for _, id := range ids {
		l, _ := s.signIns.table.links.Get(id)
		if !l.Mailed || l.ForKnown && !forKnown {
			continue
		}
		if !l.CreatedAt.Before(since) {
			n++
		}
		if l.CreatedAt.After(last) {
			last = l.CreatedAt
		}
	}
	return n, last, nil
}

// RevokeLinks implements ports.SignInRepo.
func (r signIns) RevokeLinks(ctx context.Context, a invitation.Address, at time.Time) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	ids, _ := s.signIns.table.byAddress.Get(a)
	for _, id := range ids {
		l, _ := s.signIns.table.links.Get(id)
		t := s.signIns.writable(s.version)
		t.linkHashes.Remove(l.Hash)
		l.Revoke(at)
		t.links.Set(id, l)
	}
	return nil
}
