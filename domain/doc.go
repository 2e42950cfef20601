// Package domain is the root of the business rules; each package below it contains the rules for
// one noun.
//
// A package under domain is pure. It imports only the standard library, google/uuid and other
// domain packages (domain/text also imports golang.org/x/text). Times and IDs are arguments: no
// function reads a clock, generates an ID, logs, blocks or takes a context. There are no URLs, no
// SQL and no JSON, and types have no struct tags.
//
// In a package, <noun>.go defines the noun: State is its plain record, New validates, Restore
// creates it from a stored record without validation, and methods change it. Summary, if there is
// one, is its form in lists and documents. The file fields.go defines the attributes by which lists
// can be filtered, searched and sorted. Each other file contains one behavior or policy.
package domain
