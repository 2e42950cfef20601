package memory

import (
	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides one Store as ports.Store, ports.Schools and ports.Queue.
var Module = fx.Module("memory",
	fx.Provide(New, fx.Private),
	fx.Provide(
		func(s *Store) ports.Store { return s },
		(*Store).Schools,
		(*Store).Queue,
	),
)
