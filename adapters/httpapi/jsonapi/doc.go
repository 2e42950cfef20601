// Package jsonapi is the document layer: the shapes of JSON:API 1.1 that this
// service sends and the strict reading of those that it gets. It knows no
// resource and no transport.
//
// Attributes, relationships and links are structs of whoever maps a record to a
// document, so that the order of their members is the order of the fields, and
// what may be absent, null or empty is said by their types.
package jsonapi
