// Package postgres keeps schools in PostgreSQL (14 or later), through sqlx and
// lib/pq. It implements ports.Store, ports.Schools and ports.Queue.
//
// Open gives a DB, Migrate brings its schema up to date, New makes the store.
// A Reader or a Tx stands on a session, which is bound to one school: its id is
// the first argument of every statement. Files are named after what they hold:
// one for each resource (row, statements, methods), and
//
//   - db.go, dialer.go: the pool, and connections that cannot hang;
//   - store.go, tx.go, session.go, stmts.go: transactions, retries, statements;
//   - later.go: what a transaction puts off, to go together;
//   - write.go, places.go: what writes share, unique values above all;
//   - queue.go, herald.go, bell.go: jobs, and how workers of all instances hear of
//     them;
//   - load.go: records by their ids, locked;
//   - tables.go: joins that several lists share; package listsql compiles the lists;
//   - errors.go: what a failure of the database means to the caller;
//   - migrate.go, migrations: the schema and its triggers, which keep the counts.
//
// Statements are prepared, so a connection pooler in front of the database must
// keep sessions (not pool single transactions).
package postgres
