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
// page 2,000 costs what page 1 costs. Rows that are listed by section (the
// memberships of a group, the analytics of a course) stand in one more tree for
// it, section by section; a bound on the attribute that orders a list (the
// events behind an instant) cuts off the rows before it.
//
// Rows that show names and figures of other records (submissions, analytics,
// the progress of an enrollment) are kept without them, and dressed when they
// are looked at: those of the page, or those of the span when a filter, a search
// or another order has to know. So a rename shows at once and costs nothing.
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
