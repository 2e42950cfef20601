package pgdb

import (
	"container/list"
	"context"
	"database/sql"
	"sync"

	"github.com/jmoiron/sqlx"
)

// maxStatements is the maximum number of prepared statements; each takes memory on every
// connection.
const maxStatements = 500

// A statement can be run: as a prepared statement or, if prepared is nil, by its text.
type statement struct {
	prepared *sqlx.Stmt
	plain    sqlx.ExtContext
}

func (s statement) exec(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if s.prepared != nil {
		return s.prepared.ExecContext(ctx, args...)
	}
	return s.plain.ExecContext(ctx, text, args...)
}

// statements is a cache of the most recently used prepared statements, at most max. A text
// is prepared at its second use: a single use costs less unprepared. database/sql prepares
// it on every connection that runs it.
type statements struct {
	db     *sqlx.DB
	max    int
	mu     sync.Mutex
	byText map[string]*list.Element // of *cachedStmt
	recent *list.List               // most recently used first
}

// A cachedStmt is a text and, from its second use, its prepared statement. A caller that
// gets one from lookup or prepare must release it.
type cachedStmt struct {
	text     string
	prepared *sqlx.Stmt
	users    int
	evicted  bool
}

func newStatements(db *sqlx.DB, limit int) *statements {
	return &statements{db: db, max: limit, byText: map[string]*list.Element{}, recent: list.New()}
}

// lookup returns the prepared statement of text, or nil and reports whether the text is worth
// preparing.
func (s *statements) lookup(text string) (h *cachedStmt, worth bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.byText[text]
	if !ok {
		s.byText[text] = s.recent.PushFront(&cachedStmt{text: text})
		s.evict()
		return nil, false
	}
	s.recent.MoveToFront(e)
	if h = e.Value.(*cachedStmt); h.prepared == nil {
		return nil, true
	}
	h.users++
	return h, true
}

// prepare returns the prepared statement of text, nil at its first use. It uses a
// connection of the pool during the call.
func (s *statements) prepare(ctx context.Context, text string) (*cachedStmt, error) {
	h, worth := s.lookup(text)
	if h != nil || !worth {
		return h, nil
	}
	fresh, err := s.db.PreparexContext(ctx, text)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h = &cachedStmt{text: text, evicted: true}
	if e, ok := s.byText[text]; ok {
		h = e.Value.(*cachedStmt)
	}
	if h.prepared != nil { // a concurrent call was faster
		go discard(fresh)
	} else {
		h.prepared = fresh
	}
	h.users++
	return h, nil
}

// release releases the result of lookup or prepare. The last user closes a statement that
// was evicted in the meantime.
func (s *statements) release(h *cachedStmt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.users--
	if h.evicted && h.users == 0 {
		go discard(h.prepared)
	}
}

// evict removes the least recently used texts until max are left.
func (s *statements) evict() {
	for s.recent.Len() > s.max {
		h := s.recent.Remove(s.recent.Back()).(*cachedStmt)
		delete(s.byText, h.text)
		h.evicted = true
		if h.users == 0 && h.prepared != nil {
			go discard(h.prepared)
		}
	}
}

// discard closes a statement on every connection that has prepared it. That needs a round trip for
// each, so callers run it in the background.
func discard(st *sqlx.Stmt) { _ = st.Close() }
