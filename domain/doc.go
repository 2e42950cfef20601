// Package domain is the root of Lyceum's rules; its sub-packages hold them, one noun each.
//
// A package under domain is pure. It imports the standard library,
// google/uuid and other domain packages (domain/text alone adds
// golang.org/x/text), and it takes time and identifiers as arguments: it never
// reads a clock, makes an id, logs, blocks or sees a context. It knows no URL,
// no SQL and no JSON, and its types carry no tags.
//
// How to read one: <noun>.go holds the noun itself (State is its plain record,
// New validates, Restore trusts, methods change it; Summary, where there is one,
// is what lists and documents show), a further file holds each behaviour or
// policy, and fields.go the attributes by which it can be filtered, searched and
// sorted.
package domain
