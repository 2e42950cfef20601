package server

import (
	"cmp"
	"errors"
	"fmt"

	"go.uber.org/fx"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/postgres/pgdb"
)

// database contains the database of the store Postgres; nil with other stores.
type database struct {
	fx.In
	DB *pgdb.DB `optional:"true"`
}

// Values of Config.ReplicaReads.
const (
	ExportReads    = "exports"   // exports of a school, and whole lists as CSV
	AnalyticsReads = "analytics" // analytics
	ListReads      = "lists"     // lists whose client sends Cache-Control: max-stale
)

// replicaReads returns which requests may be served by the replicas of the database.
func replicaReads(cfg Config, of database) middleware.ReplicaReads {
	if of.DB == nil || len(of.DB.Replicas().All()) == 0 {
		return middleware.ReplicaReads{}
	}
	reads := middleware.ReplicaReads{Replicas: of.DB.Replicas(), Age: cmp.Or(cfg.Postgres.ReplicaAge, pgdb.DefaultReplicaAge)}
	for _, name := range cfg.ReplicaReads {
		reads.Exports = reads.Exports || name == ExportReads
		reads.Analytics = reads.Analytics || name == AnalyticsReads
		reads.Lists = reads.Lists || name == ListReads
	}
	return reads
}

func (c Config) checkReplicas() error {
	var errs []error
	for _, name := range c.ReplicaReads {
		switch name {
		case ExportReads, AnalyticsReads, ListReads:
		default:
			errs = append(errs, fmt.Errorf("database.replica-reads: must be a list of: exports, analytics, lists; got %q", name))
		}
	}
	if c.Postgres.ReplicaAge < 0 {
		errs = append(errs, errors.New("database.replica-age: must not be negative"))
	}
	return errors.Join(errs...)
}
