package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// nextMigrations are the migrations of the next release, by file name: a new column of a table that
// the clients write, and an index.
var nextMigrations = map[string]string{
	"9998_upgrade.sql": "-- +goose Up\nALTER TABLE people ADD COLUMN upgrade text NOT NULL DEFAULT 'upgraded';\n",
	"9999_upgrade.sql": "-- +goose NO TRANSACTION\n-- +goose Up\nDROP INDEX CONCURRENTLY IF EXISTS people_by_upgrade;\n" +
		"CREATE INDEX CONCURRENTLY people_by_upgrade ON people (school_id, upgrade);\n",
}

// buildNext builds the program of the next release into dir and returns its path: this program with
// nextMigrations, which exist only in an overlay of the source.
func buildNext(ctx context.Context, dir string) (string, error) {
	source, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", "lyceum/adapters/postgres/migrations").Output()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range nextMigrations {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(string(source[:len(source)-1]), name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "lyceum-next")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	build := exec.CommandContext(ctx, "go", "build", "-overlay", file, "-tags", "nomsgpack", "-o", program, "lyceum/cmd/lyceum")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
}

// upgrade migrates the database with the next release while the servers of this release run, and
// then replaces one server after another. From then on, the world consists of the next release.
func upgrade(ctx context.Context, w *world, hold time.Duration) error {
	w.program = w.next
	if _, err := w.command(ctx, "migrate"); err != nil {
		return err
	}
	for _, s := range w.servers {
		s.program = w.next
	}
	if err := wait(ctx, hold); err != nil {
		return err
	}
	return rollingRestart(ctx, w, hold)
}
