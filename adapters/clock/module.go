package clock

import (
	"go.uber.org/fx"
	"lyceum/ports"
)

// Module provides ports.Clock and ports.IDs.
var Module = fx.Module("clock", fx.Provide(
	fx.Annotate(NewSystem, fx.As(new(ports.Clock))),
	fx.Annotate(NewRandom, fx.As(new(ports.IDs))),
))
