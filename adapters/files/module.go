package files

import (
	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides ports.Files. It needs a Config.
var Module = fx.Module("files", fx.Provide(newFiles))

func newFiles(lc fx.Lifecycle, cfg Config) (ports.Files, error) {
	if cfg.Dir == "" {
		return NewMemory(), nil
	}
	f, err := OpenFolder(cfg.Dir)
	if err != nil {
		return nil, err
	}
	lc.Append(fx.StopHook(f.Close))
	return f, nil
}
