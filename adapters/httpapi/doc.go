// Package httpapi is the HTTP API: it maps requests to calls of use cases, and their results to
// documents.
//
// routes.go lists every route. Each resource has one file with its handlers and the function that
// maps a record to a resource object. record_handlers.go and list_handlers.go contain the handlers
// that resources share, links.go builds every URL in a document, and routing.go contains the
// differences between the versions. Package middleware contains the checks that run before every
// handler.
//
// The package contains no domain rules. A handler returns an error, and Responder.Fail of package
// respond writes it.
package httpapi
