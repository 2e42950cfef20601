// Package server assembles a whole Lyceum server from its parts: a store, the
// use cases, the HTTP API and the transport in front of it.
//
// cmd/lyceum runs what is assembled here, tests run it on a free port, and a
// team that builds its own product adds its fx.Options to New or to Options.
package server
