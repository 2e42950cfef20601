// Package jsonapi writes the documents of JSON:API 1.1 and parses the JSON of requests strictly. It
// does not depend on any resource or transport.
//
// Attributes, relationships and links are structs of the package that maps a record to a resource.
// The order of their fields is the order of the members, and their types determine what can be
// absent, null or empty. Start at Resource and Parse.
package jsonapi
