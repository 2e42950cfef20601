// Package pgdb connects to a PostgreSQL database and runs statements on it: the pool and its
// settings, connections that cannot hang, transactions with retries, prepared statements,
// notifications, and the meaning of database errors for callers. It does not depend on any table.
// Start with DB and Session.
package pgdb
