package app

import "go.uber.org/fx"

// Module provides the use cases.
var Module = fx.Module("app", fx.Provide(New))
