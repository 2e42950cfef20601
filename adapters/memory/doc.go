// Package memory is the store that keeps everything in the memory of the
// process: the embedded default, and what most tests run on.
//
// Each school has a state of its own: one tree per order in which its records
// are read. A published state never changes. Readers take the pointer to the
// latest one and need no lock, so that a call sees one moment of the school,
// and a list of any length holds up nobody.
//
// A transaction works on a copy of the state and ends by publishing the copy,
// all of it or nothing: an error or a panic just forgets it. One transaction of
// a school runs at a time, so whatever it has read stays true until its end;
// the next one waits, for as long as its context allows. Schools do not wait
// for each other.
//
// Copies cost next to nothing. A table is copied when a transaction first
// writes to it, and its trees share their nodes with the published ones: a
// write copies the few nodes on its way (see tree.go). The trees count what
// they hold, so the rows of a list's default order are found by their rank, and
// page 2,000 costs what page 1 costs. The rows of a table that is listed by
// section (the memberships of a group) stand section by section, and each is a
// list of its own.
//
// A method that returns an error has changed nothing, so a transaction that
// goes on after one sees what it saw before.
//
// The jobs of all schools are in one queue under a lock of its own, for workers
// look for them across schools. A transaction keeps its new jobs to itself and
// hands them to the queue in the moment in which it publishes its state.
//
// Nothing survives the process.
package memory
