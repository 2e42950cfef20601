package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// A session runs the statements of the repositories and readers of one school.
type session struct {
	*pgdb.Session
	store *Store
}

func (s *Store) session(id school.ID) *session {
	return &session{Session: s.db.Session(id.UUID), store: s}
}

// School implements listsql.Querier.
func (s *session) School() uuid.UUID { return s.SchoolID }

// Snapshot implements listsql.Querier.
func (s *session) Snapshot(ctx context.Context, do func(listsql.Querier) error) error {
	return s.consistent(ctx, func(c *session) error { return do(c) })
}

// consistent calls fn with a session whose statements all see one state of the database.
func (s *session) consistent(ctx context.Context, fn func(c *session) error) error {
	return s.Session.ReadSnapshot(ctx, func(inner *pgdb.Session) error { return fn(&session{Session: inner, store: s.store}) })
}

// An identifier is an ID of the domain.
type identifier interface {
	comparable
	~struct{ uuid.UUID }
	String() string
}

// uuidOf returns the UUID of id.
func uuidOf[ID identifier](id ID) uuid.UUID { return struct{ uuid.UUID }(id).UUID }

// idOf returns the ID whose UUID is id.
func idOf[ID identifier](id uuid.UUID) ID { return ID(struct{ uuid.UUID }{id}) }

// idsOf returns the IDs whose UUIDs are ids.
func idsOf[ID identifier](ids []uuid.UUID) []ID {
	var all []ID
	for _, id := range ids {
		all = append(all, idOf[ID](id))
	}
	return all
}

// lister reads pages of a list. It does not embed the session, because the compiler would then
// generate the methods of the session again for each list.
type lister[R, T any] struct {
	session *session
	list    *listsql.List[R, T]
}

func newLister[R, T any](c *session, l *listsql.List[R, T]) lister[R, T] { return lister[R, T]{c, l} }

// List implements ports.Lister.
func (r lister[R, T]) List(ctx context.Context, q query.Query) (query.Result[T], error) {
	return r.list.Page(ctx, r.session, q)
}

// reader reads pages and single records of a list.
type reader[ID identifier, R, T any] struct{ lister[R, T] }

func newReader[ID identifier, R, T any](c *session, list *listsql.List[R, T]) reader[ID, R, T] {
	return reader[ID, R, T]{newLister(c, list)}
}

// Get returns the record with the given id, or NotFound if it does not exist.
func (r reader[ID, R, T]) Get(ctx context.Context, id ID) (T, error) {
	return r.list.One(ctx, r.session, uuidOf(id))
}

// getOne returns the first row of a statement, converted to T. It returns NotFound if there is no
// row.
func getOne[R, T any](
	ctx context.Context, c *session, convert func(R) (T, error), statement string, args ...any,
) (T, error) {
	var row R
	if err := c.GetRow(ctx, &row, statement, args...); err != nil {
		var none T
		return none, pgdb.Missing(err)
	}
	return convert(row)
}

// getAll returns the rows of a statement, converted to T.
func getAll[R, T any](
	ctx context.Context, c *session, convert func(R) (T, error), statement string, args ...any,
) ([]T, error) {
	var rows []R
	if err := c.SelectRows(ctx, &rows, statement, args...); err != nil {
		return nil, err
	}
	return convertAll(rows, convert)
}

// convertAll returns the results of convert for all rows, or its first error.
func convertAll[R, T any](rows []R, convert func(R) (T, error)) ([]T, error) {
	all := make([]T, len(rows))
	for i, r := range rows {
		v, err := convert(r)
		if err != nil {
			return nil, err
		}
		all[i] = v
	}
	return all, nil
}

// getMap runs a statement that looks up n keys. It returns the rows, converted to T, by the result
// of key.
func getMap[R, T any, K comparable](
	ctx context.Context, c *session, n int, convert func(R) (T, error), key func(T) K, statement string, args ...any,
) (map[K]T, error) {
	var rows []R
	if err := c.AllKeyed(ctx, n, &rows, statement, args...); err != nil {
		return nil, err
	}
	found := make(map[K]T, len(rows))
	for _, r := range rows {
		v, err := convert(r)
		if err != nil {
			return nil, err
		}
		found[key(v)] = v
	}
	return found, nil
}

// getIDs returns the IDs that a statement selects. The result is never nil.
func getIDs[ID identifier](ctx context.Context, c *session, statement string, args ...any) ([]ID, error) {
	ids := []ID{}
	err := c.SelectRows(ctx, &ids, statement, args...)
	return ids, err
}

// idArray returns ids as a parameter of the type uuid[].
func idArray[ID interface{ String() string }](ids []ID) any { return pq.Array(pgdb.IDStrings(ids)) }

// write runs a statement that may change any number of rows.
func (s *session) write(ctx context.Context, statement string, args ...any) error {
	_, err := s.Exec(ctx, statement, args...)
	return err
}

// writeOne runs a statement that should change one row. It returns NotFound if the statement
// changes no row.
func (s *session) writeOne(ctx context.Context, statement string, args ...any) error {
	n, err := s.Exec(ctx, statement, args...)
	if err == nil && n == 0 {
		return fault.RecordNotFound()
	}
	return err
}

// writeAll runs statements with the same arguments.
func (s *session) writeAll(ctx context.Context, statements []string, args ...any) error {
	for _, statement := range statements {
		if err := s.write(ctx, statement, args...); err != nil {
			return err
		}
	}
	return nil
}

func insert[T any](ctx context.Context, c *session, t *table[T], v T) error {
	return c.write(ctx, t.insert, t.args(c.SchoolID, v)...)
}

func states[S any, E interface{ State() S }](es []E) []S {
	all := make([]S, len(es))
	for i, e := range es {
		all[i] = e.State()
	}
	return all
}
