// Package transport brings requests to the handler: it listens, secures connections, decides which
// requests may be served, and shuts down gracefully. Start at Server.
//
// Every machine between client and server can read an API key that is sent over plain HTTP. Plain
// HTTP is therefore served only on the machine itself, or between this server and a proxy that
// terminates HTTPS, unless the mode is Insecure. Mode selects one of these cases; Server.Answerable
// decides for each request. A refused request still reaches the handler, which responds with an
// error document.
//
// In the mode ACME, a second listener for plain HTTP answers the challenges of the certificate
// authority and redirects pages to HTTPS.
//
// Three responses come from net/http before the handler is called, as plain text: 400 for a request
// that is not HTTP (also plain HTTP on a TLS port), 431 for headers beyond the limit, and 505 for
// an unknown HTTP version.
package transport
