// Package postgres stores schools in PostgreSQL 14 or later, with sqlx and lib/pq. It implements
// ports.Store, ports.Schools and ports.Queue. pgdb.Open returns a DB, migrations.Apply brings its
// schema up to date, and New returns the store. Readers and repositories use a session, which is
// bound to one school: the ID of the school is the first argument of every statement. A file is
// named for the resource whose rows, statements and methods it contains. A value of type table
// declares the columns that a resource writes. Package pgdb runs statements and transactions;
// package listsql compiles lists. Package migrations contains the schema with the triggers that
// maintain counts.
package postgres
