// Package migrations contains the schema of the database as migrations, applies them, and checks
// that a database has the version that this program needs.
package migrations
