package postgres_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres/migrations"
)

// baseline is the version of the last migration of the initial schema. Later migrations are
// applied while servers of the previous release run.
const baseline = 8

var (
	indexes   = regexp.MustCompile(`(?is)\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(\w+)?\s*ON\s+(?:ONLY\s+)?(\w+)`)
	changes   = regexp.MustCompile(`(?i)\b(?:ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?|REFERENCES\s+|TRIGGER\s+\w+\s[^;]*?\bON\s+|DROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?)(\w+)`)
	newTables = regexp.MustCompile(`(?i)\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)`)
	remarks   = regexp.MustCompile(`--[^\n]*`)
)

// offences returns the operations of a migration that block writers for a long time, or that cannot
// be retried.
func offences(migration string) (found []string) {
	outside := strings.Contains(migration, "+goose NO TRANSACTION")
	up, _, _ := strings.Cut(migration, "+goose Down")
	up = remarks.ReplaceAllString(up, "")
	made := map[string]bool{}
	for _, m := range newTables.FindAllStringSubmatch(up, -1) {
		made[m[1]] = true
	}
	for _, m := range indexes.FindAllStringSubmatch(up, -1) {
		name, table := m[2], m[3]
		switch {
		case made[table]:
		case m[1] == "":
			found = append(found, "CREATE INDEX "+name+" blocks the writers of "+table+": use CONCURRENTLY")
		case !outside:
			found = append(found, "CREATE INDEX CONCURRENTLY needs -- +goose NO TRANSACTION")
		case !regexp.MustCompile(`(?i)DROP\s+INDEX\s+CONCURRENTLY\s+IF\s+EXISTS\s+` + name + `\b`).MatchString(up):
			found = append(found, "an interrupted build leaves "+name+" invalid: drop it first, IF EXISTS")
		}
	}
	changed := map[string]bool{}
	for _, m := range changes.FindAllStringSubmatch(up, -1) {
		if !made[m[1]] {
			changed[m[1]] = true
		}
	}
	if len(changed) > 1 && !outside {
		found = append(found, fmt.Sprintf("waits for one table while it holds another, of %d: change each in a migration of its own", len(changed)))
	}
	return found
}

func TestOffences(t *testing.T) {
	for _, tt := range []struct {
		name, migration string
		found           int
	}{
		{"plain", "-- +goose Up\nCREATE INDEX a ON people (id);", 1},
		{"unique, over two lines", "-- +goose Up\ncreate unique index if not exists a\n ON people (id);", 1},
		{"without a name", "-- +goose Up\nCREATE INDEX ON people (id);", 1},
		{"on a new table", "-- +goose Up\nCREATE TABLE things (id uuid);\nCREATE INDEX a ON things (id);", 0},
		{"in a remark", "-- +goose Up\n-- CREATE INDEX a ON people (id);", 0},
		{"taken back", "-- +goose Up\n-- +goose Down\nCREATE INDEX a ON people (id);", 0},
		{"two tables", "-- +goose Up\nALTER TABLE people ADD a text;\nALTER TABLE ONLY courses ADD a text;", 1},
		{"a new table that refers to two", "-- +goose Up\nCREATE TABLE a (b uuid REFERENCES people, c uuid REFERENCES courses (id));", 1},
		{"a new table with an index, and another", "-- +goose Up\nCREATE TABLE a (b uuid REFERENCES people);\nALTER TABLE a ADD c text;\nALTER TABLE people ADD d text;", 0},
		{"concurrently in a transaction", "-- +goose Up\nDROP INDEX CONCURRENTLY IF EXISTS a;\nCREATE INDEX CONCURRENTLY a ON people (id);", 1},
		{"concurrently, once", "-- +goose NO TRANSACTION\n-- +goose Up\nCREATE INDEX CONCURRENTLY a ON people (id);", 1},
		{"concurrently", "-- +goose NO TRANSACTION\n-- +goose Up\nDROP INDEX CONCURRENTLY IF EXISTS a;\nCREATE INDEX CONCURRENTLY a ON people (id);", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(len(offences(tt.migration)), tt.found)
		})
	}
}

// Migrations after the baseline must not block the writers of the previous release.
func TestMigrationsDoNotBlockWriters(t *testing.T) {
	is := is.New(t)
	files := migrations.Files()
	names, err := fs.Glob(files, "*.sql")
	is.NoErr(err)
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(number)
		is.NoErr(err)
		if version <= baseline {
			continue
		}
		text, err := fs.ReadFile(files, name)
		is.NoErr(err)
		for _, offence := range offences(string(text)) {
			t.Errorf("%s: %s", name, offence)
		}
	}
}
