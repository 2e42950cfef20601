// Package server assembles a Lyceum server from its parts: a store, the use cases, the HTTP API and
// the transport in front of it.
//
// cmd/cli runs the server, and tests start it on a free port. Another module adds its rules, store
// and sender of invitations as an Extension; docs/extending.md shows how.
package server
