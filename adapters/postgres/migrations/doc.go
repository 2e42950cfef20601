// Package migrations contains the schema of the database as migrations, applies them, and checks
// that a database has the version that this program needs. The migrations 0001 to 0008 are the
// baseline, one for each part of the schema.
package migrations
