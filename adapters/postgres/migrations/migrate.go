package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"lyceum/adapters/limiter"
	"lyceum/adapters/postgres/pgdb"
)

//go:embed *.sql
var embedded embed.FS

// Files returns the migrations, whose names begin with their version.
func Files() fs.FS { return embedded }

// migrationTries is the maximum number of attempts of a migration that cannot get its locks.
// Together with the pauses, the attempts take about two minutes.
const migrationTries = 50

// ErrNoDirect means that migrations cannot run through a transaction pooler, because they use
// session locks.
var ErrNoDirect = errors.New("migrate: database.pooler is transaction, so migrations need database.direct-url")

// Apply brings the schema up to date. Several servers may call it concurrently: one server migrates
// while the others wait. It uses a separate connection without a statement timeout. A migration
// that cannot get its locks lets requests run first and is retried. The error is ErrNewer if the
// schema is newer than this program, and ErrNoDirect if there is no direct connection.
func Apply(ctx context.Context, db *pgdb.DB, logger *slog.Logger) error {
	return ApplyFiles(ctx, db, Files(), logger)
}

// ApplyFiles is like Apply, but with other migrations.
func ApplyFiles(ctx context.Context, db *pgdb.DB, files fs.FS, logger *slog.Logger) (err error) {
	conn := db.OpenSchema()
	if conn == nil {
		return ErrNoDirect
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// Another error of check is no reason to stop: migrations are pending, or applyOnce meets it too.
	if err := check(ctx, db, files); errors.Is(err, ErrNewer) {
		return err
	}
	for try := 1; ; try++ {
		err := applyOnce(ctx, conn, files, logger)
		if err == nil {
			return nil
		}
		held := pq.As(err, pqerror.LockNotAvailable, pqerror.TRDeadlockDetected) != nil
		if !held || try == migrationTries {
			return pgdb.Translate(ctx, fmt.Errorf("migrate: %w", err))
		}
		logger.WarnContext(ctx, "table in use, retrying migration", "try", try, "error", err)
		mean := min(time.Duration(try)*100*time.Millisecond, 3*time.Second)
		if err := limiter.Pause(ctx, mean/2+rand.N(mean)); err != nil {
			return pgdb.Translate(ctx, fmt.Errorf("migrate: %w", err))
		}
	}
}

func applyOnce(ctx context.Context, conn *sql.DB, files fs.FS, logger *slog.Logger) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 1800), lock.WithUnlockTimeout(1, 60))
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, files,
		goose.WithSessionLocker(locker), goose.WithSlog(logger), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	done, err := provider.Up(ctx)
	for _, m := range done {
		logger.InfoContext(ctx, "schema migrated", "migration", m.Source.Path, "took", m.Duration)
	}
	return err
}
