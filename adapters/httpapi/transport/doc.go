// Package transport is how requests reach the handler: it listens, secures the
// connections, decides which of them may be answered at all, and ends them in
// good order.
//
// An API key in a request over plain HTTP can be read by whoever stands between,
// so plain HTTP is answered only where nobody does: on the machine itself, or
// between a proxy that ended HTTPS and this server. Mode says which; Answerable
// decides for each request. What it refuses is still handed to the handler,
// which answers with the error of the API's own form.
//
// Three answers come from the HTTP library before any handler is asked, as plain
// text: 400 for what is no HTTP request (a plain one on a TLS port included),
// 431 for a header beyond the limit, and 505 for an unknown version of HTTP.
package transport
