// Package postgres keeps schools in PostgreSQL (14 or later), through sqlx and
// lib/pq. It implements ports.Store, ports.Schools and ports.Queue.
//
// pgdb.Open returns a DB, Migrate brings its schema up to date, New returns the
// store. A Reader or a Tx uses a session, which is bound to one school: the school's
// id is the first argument of every statement. A file has the name of the resource
// whose rows, statements and methods it holds. Package pgdb runs statements and
// transactions, package listsql compiles lists. The folder migrations holds the
// schema and its triggers, which keep the counts.
package postgres
