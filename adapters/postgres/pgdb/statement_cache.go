package pgdb

import (
	"container/list"
	"context"
	"database/sql"
	"sync"

	"github.com/jmoiron/sqlx"
)

// The database keeps each prepared statement on every connection, in about sixty times the memory of
// its text. The usual texts have 400 bytes, and all of them together 200 KB.
const (
	maxStatements = 500       // prepared statements
	maxTexts      = 512 << 10 // bytes of their texts
	maxText       = 4 << 10   // bytes of a text; a longer one is not prepared
)

// A statement runs a text: as the prepared statement or, if prepared is nil, unprepared on plain.
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

// statements is a cache of the most recently used prepared statements, at most max, with texts of at
// most maxTexts. A text is prepared at its second use, because a single use costs less unprepared.
// database/sql prepares the statement on every connection that runs it.
type statements struct {
	db     *sqlx.DB
	max    int
	mu     sync.Mutex
	byText map[string]*list.Element // *cachedStmt values by text
	bytes  int                      // size of the texts
	recent *list.List               // most recently used first
}

// A cachedStmt is a text in the cache and, from its second use, its prepared statement. A caller
// that gets a cachedStmt from lookup or prepare must release it.
type cachedStmt struct {
	text     string
	prepared *sqlx.Stmt
	users    int // callers that have not released it
	evicted  bool
}

func newStatements(db *sqlx.DB, limit int) *statements {
	return &statements{db: db, max: limit, byText: map[string]*list.Element{}, recent: list.New()}
}

// lookup returns the prepared statement of text, or nil if there is none. worth reports whether the
// text has been used before, so that preparing it pays off.
func (s *statements) lookup(text string) (cached *cachedStmt, worth bool) {
	if len(text) > maxText {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.byText[text]
	if !ok {
		s.byText[text] = s.recent.PushFront(&cachedStmt{text: text})
		s.bytes += len(text)
		s.evict()
		return nil, false
	}
	s.recent.MoveToFront(e)
	if cached = e.Value.(*cachedStmt); cached.prepared == nil {
		return nil, true
	}
	cached.users++
	return cached, true
}

// prepare returns the prepared statement of text. At the first use of text, it returns nil. It uses
// a connection of the pool during the call.
func (s *statements) prepare(ctx context.Context, text string) (*cachedStmt, error) {
	cached, worth := s.lookup(text)
	if cached != nil || !worth {
		return cached, nil
	}
	fresh, err := s.db.PreparexContext(ctx, text)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	cached = &cachedStmt{text: text, evicted: true}
	if e, ok := s.byText[text]; ok {
		cached = e.Value.(*cachedStmt)
	}
	if cached.prepared != nil { // a concurrent call has prepared it
		go discard(fresh)
	} else {
		cached.prepared = fresh
	}
	cached.users++
	return cached, nil
}

// release releases the result of lookup or prepare. If the statement has been evicted, the last
// release closes it.
func (s *statements) release(cached *cachedStmt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cached.users--
	if cached.evicted && cached.users == 0 {
		go discard(cached.prepared)
	}
}

// evict removes the least recently used texts until at most max with at most maxTexts are left.
func (s *statements) evict() {
	for s.recent.Len() > s.max || s.bytes > maxTexts {
		cached := s.recent.Remove(s.recent.Back()).(*cachedStmt)
		delete(s.byText, cached.text)
		s.bytes -= len(cached.text)
		cached.evicted = true
		if cached.users == 0 && cached.prepared != nil {
			go discard(cached.prepared)
		}
	}
}

// discard closes a statement on every connection that has prepared it. This takes a round trip for
// each connection, so callers run discard in the background.
func discard(st *sqlx.Stmt) { _ = st.Close() }
