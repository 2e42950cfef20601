// Package acme tests the TLS mode acme of the server program against Pebble, the ACME server that
// Let's Encrypt publishes for tests. It is a separate module, so that the server does not depend on
// Pebble.
package acme
