// Package app is what Lyceum does: its use cases, one file for each resource.
//
// A use case gets an Actor, which says whose school it is; loads what it needs
// through the ports; lets the domain decide; and keeps the result, all in one
// transaction. It knows no transport and no store, starts no goroutine, and
// adds no rule of its own: a rule is a line of the domain.
package app
