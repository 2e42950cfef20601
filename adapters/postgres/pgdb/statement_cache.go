package pgdb

import (
	"container/list"
	"context"
	"database/sql"
	"sync"

	"github.com/jmoiron/sqlx"
)

// maxStatements bounds the statements kept prepared; each costs memory on every
// connection.
const maxStatements = 500

// statement is a statement ready to run: prepared where that is not nil, else
// by its text.
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

// statements keeps the statements used last prepared, at most max. A text is
// prepared when it is asked for the second time: until then it costs less
// unprepared. database/sql prepares each on every connection that runs it.
type statements struct {
	db     *sqlx.DB
	max    int
	mu     sync.Mutex
	byText map[string]*list.Element // of *held
	recent *list.List               // most recently used first
}

// held is a text and, from the second use, its prepared statement. Whoever gets
// one from lookup or prepare must release it.
type held struct {
	text     string
	prepared *sqlx.Stmt
	users    int
	evicted  bool
}

func newStatements(db *sqlx.DB, limit int) *statements {
	return &statements{db: db, max: limit, byText: map[string]*list.Element{}, recent: list.New()}
}

// lookup returns the prepared statement of text, or nil and whether it is worth
// preparing.
func (s *statements) lookup(text string) (h *held, worth bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.byText[text]
	if !ok {
		s.byText[text] = s.recent.PushFront(&held{text: text})
		s.evict()
		return nil, false
	}
	s.recent.MoveToFront(e)
	if h = e.Value.(*held); h.prepared == nil {
		return nil, true
	}
	h.users++
	return h, true
}

// prepare returns the prepared statement of text, nil at its first use. It
// takes a connection from the pool for the while.
func (s *statements) prepare(ctx context.Context, text string) (*held, error) {
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
	h = &held{text: text, evicted: true}
	if e, ok := s.byText[text]; ok {
		h = e.Value.(*held)
	}
	if h.prepared != nil { // somebody else was faster
		go discard(fresh)
	} else {
		h.prepared = fresh
	}
	h.users++
	return h, nil
}

// release gives back what lookup or prepare returned. A statement that was
// dropped meanwhile is closed by its last user.
func (s *statements) release(h *held) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.users--
	if h.evicted && h.users == 0 {
		go discard(h.prepared)
	}
}

// evict drops the texts used longest ago until no more than max are left.
func (s *statements) evict() {
	for s.recent.Len() > s.max {
		h := s.recent.Remove(s.recent.Back()).(*held)
		delete(s.byText, h.text)
		h.evicted = true
		if h.users == 0 && h.prepared != nil {
			go discard(h.prepared)
		}
	}
}

// discard closes a statement on every connection that knows it, which is a round
// trip each: nobody should wait for that.
func discard(st *sqlx.Stmt) { _ = st.Close() }
