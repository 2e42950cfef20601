// Package model replays random histories of a small school through the use cases, on every store,
// and compares the lists with a simple computation. The computation records all operations and, for
// each comparison, computes the expected lists from all of them. If a new rule changes the content
// of the lists, this package must be changed too.
package model
