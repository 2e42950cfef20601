// Package pgdb connects to a PostgreSQL database and runs statements on it: the pool and its
// settings, connections with read and write deadlines, transactions with retries, prepared
// statements, notifications, and the translation of database errors. It does not depend on any
// table. Start with DB and Session.
package pgdb
