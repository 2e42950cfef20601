// Package domain is the root of the business rules; each package below it holds the rules of one
// noun.
//
// A package under domain is pure. It imports the standard library, google/uuid and other domain
// packages (domain/text alone adds golang.org/x/text). Time and identifiers are arguments: no
// function reads a clock, generates an id, logs, blocks or takes a context. There are no URLs, no
// SQL and no JSON, and types have no struct tags.
//
// In a package, <noun>.go defines the noun: State is its plain record, New validates, Restore
// trusts a store, methods change it, and Summary, where there is one, is its form in lists and
// documents. Each further file holds one behavior or policy, and fields.go the attributes by which
// lists can be filtered, searched and sorted.
package domain
