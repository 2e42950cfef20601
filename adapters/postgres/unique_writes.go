package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// uniqueRecords describes records E whose state S has an attribute that is unique in the
// school. R is a row of their list.
type uniqueRecords[R, S, E any] struct {
	table    *table[S]
	columns  string // columns of R that a state has
	toState  func(R) (S, error)
	restore  func(S) E
	typeName string
	field    string // name of the unique attribute, for faults
	key      string // column of the unique key
	keyOf    func(S) string
	getLock  string // lock clause of GetForUpdate
	manyLock string // lock clause of GetManyForShare

	add, save, get, getMany, conflicting, ids string // SQL statements
}

// prepared returns d with all its statements. It keeps d.save if it is already set.
func (d uniqueRecords[R, S, E]) prepared() *uniqueRecords[R, S, E] {
	name := d.table.name
	d.add = d.table.insert + "ON CONFLICT (school_id, " + d.key + ") DO NOTHING"
	if d.save == "" {
		d.save = d.table.update()
	}
	d.get = "SELECT " + d.columns + " FROM " + name + " r WHERE r.school_id = $1 AND r.id = $2 " + d.getLock
	d.getMany = "SELECT r.* FROM " + pgdb.ByKey(name, d.columns, "id", "$2::uuid[]", "LIMIT 1 "+d.manyLock)
	d.ids = "SELECT r.* FROM " + pgdb.ByKey(name, "r.id, r."+d.key+" AS key", d.key, "$2::text[]", "LIMIT 1")
	// conflicting consists of two lookups, because the planner may read the whole school for a
	// single lookup with OR.
	d.conflicting = "SELECT id FROM " + name + " WHERE school_id = (SELECT $1::uuid) AND " + d.key + " = $2" +
		" UNION SELECT id FROM " + name + " WHERE school_id = (SELECT $1::uuid) AND id = $3"
	return &d
}

// uniqueRepo reads and writes unique records.
type uniqueRepo[ID identifier, R, T, S any, E interface{ State() S }] struct {
	reader[ID, R, T]
	records *uniqueRecords[R, S, E]
}

func newUniqueRepo[ID identifier, R, T, S any, E interface{ State() S }](
	c *session, list *listsql.List[R, T], records *uniqueRecords[R, S, E],
) uniqueRepo[ID, R, T, S, E] {
	return uniqueRepo[ID, R, T, S, E]{newReader[ID](c, list), records}
}

func (r uniqueRepo[ID, R, T, S, E]) restore(row R) (e E, err error) {
	s, err := r.records.toState(row)
	if err != nil {
		return e, err
	}
	return r.records.restore(s), nil
}

func (r uniqueRepo[ID, R, T, S, E]) idOf(e E) ID {
	return idOf[ID](r.records.table.columns[0].value(e.State()).(uuid.UUID))
}

// GetForUpdate locks and returns the record with the given id, or returns NotFound if it does not
// exist.
func (r uniqueRepo[ID, R, T, S, E]) GetForUpdate(ctx context.Context, id ID) (E, error) {
	return getOne(ctx, r.session, r.restore, r.records.get, r.session.SchoolID, uuidOf(id))
}

// GetManyForShare locks and returns the records with the given ids, by id. It omits ids without a
// record.
func (r uniqueRepo[ID, R, T, S, E]) GetManyForShare(ctx context.Context, ids []ID) (map[ID]E, error) {
	return getMap(ctx, r.session, len(ids), r.restore, r.idOf, r.records.getMany, r.session.SchoolID, idArray(ids))
}

// Add inserts e. It returns a Taken fault if another record has its unique value.
//
// If the value is taken, the insertion does nothing, because a failed statement would abort the
// transaction. If the record itself exists, this is the second run of the transaction: the first
// run was committed, but its outcome was lost. Add then returns an outage.
func (r uniqueRepo[ID, R, T, S, E]) Add(ctx context.Context, e E) error {
	n, err := r.session.Exec(ctx, r.records.add, r.records.table.args(r.session.SchoolID, e.State())...)
	if err != nil || n > 0 {
		return err
	}
	_, err = r.conflicting(ctx, e, uuid.Nil)
	for _, f := range fault.All(err) {
		if f.Holder != nil && f.Holder.ID == uuidOf(r.idOf(e)) {
			return pgdb.Unavailable(errExists)
		}
	}
	if err != nil {
		return err
	}
	return r.session.Changed(fault.TakenValue(r.records.field)) // the holder was deleted in the meantime
}

var errExists = errors.New("postgres: the record to add already exists")

// Save updates e. It returns NotFound if e does not exist, and a Taken fault if another record has
// its unique value. If another transaction takes the value between the check and the update, Save
// returns a conflict.
func (r uniqueRepo[ID, R, T, S, E]) Save(ctx context.Context, e E) error {
	exists, err := r.conflicting(ctx, e, uuidOf(r.idOf(e)))
	if err != nil {
		return err
	}
	if !exists {
		return fault.RecordNotFound()
	}
	err = r.session.writeOne(ctx, r.records.save, r.records.table.args(r.session.SchoolID, e.State())...)
	return r.session.Race(err, pqerror.UniqueViolation, fault.TakenValue(r.records.field))
}

// conflicting reports whether a record with the given id exists. It returns a Taken fault if
// another record has the unique value of e.
func (r uniqueRepo[ID, R, T, S, E]) conflicting(ctx context.Context, e E, id uuid.UUID) (exists bool, err error) {
	var ids []uuid.UUID
	args := []any{r.session.SchoolID, r.records.keyOf(e.State()), id}
	if err := r.session.SelectRows(ctx, &ids, r.records.conflicting, args...); err != nil {
		return false, err
	}
	for _, found := range ids {
		if found == id {
			exists = true
		} else {
			err = fault.Taken(r.records.field, r.records.typeName, found)
		}
	}
	if id != uuid.Nil && !exists {
		return false, nil
	}
	return exists, err
}

// idsByKey returns the IDs of the records with the given unique keys, by key.
func (r uniqueRepo[ID, R, T, S, E]) idsByKey(ctx context.Context, keys []string) (map[string]ID, error) {
	var rows []struct {
		ID  uuid.UUID `db:"id"`
		Key string    `db:"key"`
	}
	if err := r.session.AllKeyed(ctx, len(keys), &rows, r.records.ids, r.session.SchoolID, pq.Array(keys)); err != nil {
		return nil, err
	}
	found := make(map[string]ID, len(rows))
	for _, row := range rows {
		found[row.Key] = idOf[ID](row.ID)
	}
	return found, nil
}

// uniqueKeys returns the unique keys of the texts that PostgreSQL can store.
func uniqueKeys(texts []string) []string {
	keys := storable(texts)
	for i, t := range keys {
		keys[i] = text.UniqueKey(t)
	}
	return keys
}

// storable returns the texts that PostgreSQL can store. Other texts cannot occur in any column.
func storable(texts []string) []string {
	kept := make([]string, 0, len(texts))
	for _, t := range texts {
		if isStorable(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

func isStorable(t string) bool { return text.CheckText("", t) == nil }

// deleteOne deletes the record with the given id, or returns NotFound if it does not exist. After
// the caller has deleted the rows that refer to the record, another transaction may have added such
// a row, so a violated foreign key is a conflict: the transaction is retried.
func (s *session) deleteOne(ctx context.Context, statement string, id uuid.UUID) error {
	err := s.writeOne(ctx, statement, s.SchoolID, id)
	return s.Race(err, pqerror.ForeignKeyViolation, err)
}
