// Package backup tests the recipe for backups in docs/operations.md with pgBackRest.
package backup
