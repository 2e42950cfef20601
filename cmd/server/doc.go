// Package server assembles a Lyceum server from its parts: a store, the use cases, the HTTP API and
// the transport in front of it.
//
// cmd/lyceum runs the server, and tests start it on a free port. Another program can add its own
// parts as fx.Options to New or to Options.
package server
