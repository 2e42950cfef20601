// Package model replays random histories of a small school through the use
// cases, on every store, and compares what the lists show with a calculation
// that is as plain as the specification: it keeps every deed and works out
// everything from the first one on, each time.
package model
