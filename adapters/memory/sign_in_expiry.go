package memory

import (
	"context"
	"time"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/signin"
)

// DeleteExpiredSignIns implements ports.Schools. It processes one school after another.
func (r schools) DeleteExpiredSignIns(ctx context.Context, before time.Time, limit int) (int, error) {
	sessions, links := 0, 0
	for t := range r.store.registry.Load().tenants.From(0) {
		oldSessions, oldLinks := t.state.Load().expiredSignIns(before, limit-sessions, limit-links)
		if len(oldSessions)+len(oldLinks) == 0 {
			continue
		}
		err := r.store.inTenant(ctx, t, func(ctx context.Context, w *tx) error {
			s, err := w.current(ctx)
			if err != nil {
				return err
			}
			oldSessions, oldLinks = s.expiredSignIns(before, limit-sessions, limit-links)
			table := s.signIns.writable(s.version)
			for _, one := range oldSessions {
				table.removeSession(one)
			}
			for _, l := range oldLinks {
				table.removeLink(l, l.Address(s.school.State().ID))
			}
			return nil
		})
		if err != nil {
			return max(sessions, links), err
		}
		sessions, links = sessions+len(oldSessions), links+len(oldLinks)
	}
	return max(sessions, links), ordered.CheckContext(ctx)
}

// expiredSignIns returns the sessions and links that expired at or before the given time, at most
// maxSessions and maxLinks. It visits all sessions and links.
func (s *state) expiredSignIns(before time.Time, maxSessions, maxLinks int) (sessions []signin.Session, links []signin.Link) {
	for one := range s.signIns.table.sessions.From(0) {
		if len(sessions) < maxSessions && !one.ExpiresAt.After(before) {
			sessions = append(sessions, one)
		}
	}
	for l := range s.signIns.table.links.From(0) {
		if len(links) < maxLinks && !l.ExpiresAt.After(before) {
			links = append(links, l)
		}
	}
	return sessions, links
}
