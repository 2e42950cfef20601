// Package memory is the store that keeps all records in the memory of the process. It is the
// default of the server and the store of most tests. The records are lost when the process ends.
//
// Each school has its own state, with one tree for each order in which its records are read. A
// published state is immutable. Readers load the pointer to the latest state and take no lock, so
// each call sees a consistent state and a long list blocks no writer.
//
// A transaction works on a copy of the state and publishes the copy at its end, or drops it after
// an error or a panic. One transaction of a school runs at a time, so nothing that it has read
// changes. The next transaction waits until it can start or its context ends. Schools do not wait
// for each other. A method that returns an error changes nothing.
//
// Copies are cheap. A table is copied when a transaction first writes to it. The copy shares its
// nodes with the published table (see package ordered), and a write copies only the few nodes on
// its path. The trees know the ranks of their rows, so page 2,000 of a list in its default order
// costs as much as page 1. Rows that are listed by an attribute, such as the memberships of a
// group, are also in a tree that is ordered by that attribute first.
//
// Rows that contain names and counts of other records (submissions, analytics, the progress of an
// enrollment) are stored without these values. A read adds the values: to the rows of the page
// only, or to all rows of the list if a filter, a search or another order needs them. A change of a
// name is thus visible at once and updates no other row.
//
// The jobs of all schools are in one queue with its own lock, because workers take jobs of any
// school. A transaction collects its new jobs and adds them to the queue when it publishes its
// state.
package memory
