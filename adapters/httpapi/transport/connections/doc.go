// Package connections limits the open connections of a server, in total and for each network of
// clients. Each connection takes a file descriptor and memory, so a client without a key could
// otherwise stop the server by opening connections. Start at Limiter.
package connections
