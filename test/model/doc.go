// Package model replays random histories of a small school through the use cases, on every store,
// and compares the lists with a simple computation. The computation records all operations and
// computes everything from them each time. A rule that changes what the lists contain requires a
// change of this package too.
package model
