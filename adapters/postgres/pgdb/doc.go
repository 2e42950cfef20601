// Package pgdb connects to a PostgreSQL database and runs statements on it: the
// pool and its settings, connections that cannot hang, transactions with
// retries, prepared statements, notifications, and what an error of the
// database means to the caller. It knows no table. Start with DB and Session.
package pgdb
