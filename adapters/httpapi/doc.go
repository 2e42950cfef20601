// Package httpapi is the HTTP API: it turns requests into calls of use cases
// and what they return into documents.
//
// routes.go lists every route. A resource is one file: its handlers, and the
// function that maps its record to a resource of a document. What all of them
// share lies beside them, a file for each question:
//
//   - server.go: what a request passes on its way to a handler, in order;
//   - package respond: how a document or an error is written, with its headers;
//   - try.go: how a client learns of everything that is wrong at once;
//   - payload.go, documents.go: how a document is read, by package request;
//   - single.go: how one record is shown and deleted;
//   - relate.go: how relationships are changed;
//   - listquery.go, list.go: how every list is asked for and answered;
//   - links.go: every address that a document shows;
//   - version.go: what differs between the versions of the API.
//
// No rule of the domain stands here. A handler that meets an error returns it;
// only Fail of package respond writes one.
package httpapi
