package server

import (
	"context"
	"log/slog"
	"os"
	"slices"

	"go.uber.org/fx"
	"lyceum/adapters/tracing"
)

// traces exports spans while the server runs, if the environment names a collector.
func traces(lc fx.Lifecycle, cfg Config, log *slog.Logger) error {
	if !slices.ContainsFunc(tracing.Variables, func(name string) bool { return os.Getenv(name) != "" }) {
		return nil
	}
	stop, err := tracing.Start(context.Background(), cfg.Metrics.Version, cfg.name(), log)
	if err != nil {
		return err
	}
	lc.Append(fx.StopHook(stop))
	return nil
}
