// Package model replays random histories of a small school through the use cases, on every store,
// and compares the lists of the school with a simple model. The model keeps all operations and
// computes the expected lists from them at each comparison. If a new rule changes the content of
// the lists, change the model too.
package model
