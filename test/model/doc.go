// Package model replays random histories of a small school through the use cases, on every store,
// and compares the lists with a calculation as plain as the specification: it keeps all operations
// and computes everything from the first one on, each time. A rule that changes what the lists show
// changes this package too.
package model
