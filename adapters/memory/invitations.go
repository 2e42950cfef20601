package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/ports"
)

var (
	_ ports.InvitationReader = invitationReader{}
	_ ports.InvitationRepo   = invitations{}
)

// invitationRow is the invitation of a person with the hashes of its links. It is immutable; a
// change replaces it.
type invitationRow struct {
	invitation.Invitation
	hashes []invitation.Hash
}

func compareHashes(a, b invitation.Hash) int { return bytes.Compare(a[:], b[:]) }

type invitationReader struct{ view view }

// Get implements ports.InvitationReader.
func (r invitationReader) Get(ctx context.Context, id person.ID) (invitation.Invitation, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return invitation.Invitation{}, err
	}
	kept, ok := s.invitations.table.Get(id.UUID)
	if !ok {
		return invitation.Invitation{}, fault.RecordNotFound()
	}
	return kept.Invitation, nil
}

type invitations struct {
	invitationReader
	tx *tx
}

// Upsert implements ports.InvitationRepo.
func (r invitations) Upsert(ctx context.Context, is []invitation.Invitation) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, i := range is {
		if !s.people.table.Has(i.Person.UUID) {
			return fmt.Errorf("memory: an invitation of the unknown person %s", i.Person)
		}
	}
	kept := s.invitations.writable(s.version)
	for _, i := range is {
		before, _ := kept.Get(i.Person.UUID)
		kept.Set(i.Person.UUID, invitationRow{i, before.hashes})
	}
	return nil
}

// AddLink implements ports.InvitationRepo.
func (r invitations) AddLink(ctx context.Context, l invitation.Link) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	before, ok := s.invitations.table.Get(l.Person.UUID)
	if !ok {
		return fmt.Errorf("memory: a link to an invitation of %s, which does not exist", l.Person)
	}
	if l.School != s.school.State().ID {
		return fmt.Errorf("memory: a link belongs to a different school than the transaction")
	}
	_, used := s.links.table.Get(l.Hash)
	if _, elsewhere := r.tx.store.link(l.Hash); used || elsewhere {
		return fmt.Errorf("memory: duplicate hash of a link")
	}
	hashes := append(slices.Clip(before.hashes), l.Hash)
	s.invitations.writable(s.version).Set(l.Person.UUID, invitationRow{before.Invitation, hashes})
	s.links.writable(s.version).Set(l.Hash, l)
	return nil
}

// Link implements ports.InvitationRepo.
func (r invitations) Link(ctx context.Context, h invitation.Hash) (invitation.Link, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return invitation.Link{}, err
	}
	l, ok := s.links.table.Get(h)
	if !ok {
		return invitation.Link{}, fault.RecordNotFound()
	}
	return l, nil
}

// ExpireLinks implements ports.InvitationRepo.
func (r invitations) ExpireLinks(ctx context.Context, id person.ID, at time.Time) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	kept, _ := s.invitations.table.Get(id.UUID)
	links := s.links.writable(s.version)
	for _, h := range kept.hashes {
		if l, ok := links.Get(h); ok && l.ExpiresAt.After(at) {
			l.ExpiresAt = at
			links.Set(h, l)
		}
	}
	return nil
}

// DeleteByPerson implements ports.InvitationRepo.
func (r invitations) DeleteByPerson(ctx context.Context, id person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	gone, ok := s.invitations.table.Get(id.UUID)
	if !ok {
		return nil
	}
	links := s.links.writable(s.version)
	for _, h := range gone.hashes {
		links.Remove(h)
	}
	s.invitations.writable(s.version).Remove(id.UUID)
	return nil
}

// link returns the committed link with the hash, of any school, and reports whether it exists.
func (s *store) link(h invitation.Hash) (invitation.Link, bool) {
	for t := range s.registry.Load().tenants.From(0) {
		if l, ok := t.state.Load().links.table.Get(h); ok {
			return l, true
		}
	}
	return invitation.Link{}, false
}

// InvitationLinkByHash implements ports.Schools.
func (r schools) InvitationLinkByHash(ctx context.Context, h invitation.Hash) (invitation.Link, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return invitation.Link{}, err
	}
	l, ok := r.store.link(h)
	if !ok {
		return invitation.Link{}, fault.RecordNotFound()
	}
	return l, nil
}

var _ ports.DeliveryRepo = deliveries{}

func compareAddresses(a, b invitation.Address) int { return bytes.Compare(a[:], b[:]) }

type deliveries struct{ tx *tx }

// GetDayForUpdate implements ports.DeliveryRepo.
func (r deliveries) GetDayForUpdate(ctx context.Context) (invitation.Day, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return invitation.Day{}, err
	}
	return s.day, nil
}

// Last implements ports.DeliveryRepo.
func (r deliveries) Last(ctx context.Context, a invitation.Address) (invitation.Delivery, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return invitation.Delivery{}, err
	}
	d, ok := s.deliveries.table.Get(a)
	if !ok {
		return invitation.Delivery{}, fault.RecordNotFound()
	}
	return d, nil
}

// Save implements ports.DeliveryRepo.
func (r deliveries) Save(ctx context.Context, d invitation.Day, l invitation.Delivery) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	s.day = d
	s.deliveries.writable(s.version).Set(l.Address, l)
	return nil
}

// DeleteExpiredDeliveries implements ports.Schools.
func (r schools) DeleteExpiredDeliveries(ctx context.Context, until time.Time, most int) (int, error) {
	return sweep(ctx, r, most, func(s *state, n int) []invitation.Address { return s.deliveriesUntil(until, n) },
		func(s *state, a invitation.Address) error {
			s.deliveries.writable(s.version).Remove(a)
			return nil
		})
}

// deliveriesUntil returns the addresses of at most n deliveries at or before until. It visits every
// delivery.
func (s *state) deliveriesUntil(until time.Time, n int) (old []invitation.Address) {
	for d := range s.deliveries.table.From(0) {
		if len(old) == n {
			break
		}
		if !d.At.After(until) {
			old = append(old, d.Address)
		}
	}
	return old
}
