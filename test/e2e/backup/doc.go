// Package backup tests the recipe for backups in docs/operations/backup.md with pgBackRest.
package backup
