// Package httpapi is the HTTP API: it maps requests to calls of use cases, and their results to
// documents.
//
// routes.go lists every route. Each resource has one file: its handlers, and the function that maps
// a record to a resource object. record_handlers.go and list.go have the handlers that resources
// share, links.go every URL in a document, and version.go the differences between the versions.
// Package middleware has the checks in front of every handler.
//
// The package contains no rules of the domain. A handler returns an error, and Responder.Fail of
// package respond writes it.
package httpapi
