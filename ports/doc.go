// Package ports declares the interfaces through which the use cases access databases, files, email
// and the clock.
//
// Every promise of a port is a sentence in its comments, and every sentence is tested by the
// conformance suite (test/conformance/storetest), which each adapter runs. These promises hold for
// all ports:
//
//   - An error that may be shown to a client is a fault (package fault); any other error is an
//     outage or a defect.
//   - Arguments and results are copies: modifying one is not visible through the port.
//   - A canceled context ends an operation with an error for which errors.Is reports
//     context.Canceled or context.DeadlineExceeded, and changes nothing.
//   - Every method may be called by many goroutines concurrently; a Tx belongs to the function
//     that received it, and to one goroutine.
//   - Texts, times and identifiers are returned as they were saved: times in UTC, in whole
//     milliseconds.
//
// The suffix of a method names its locks. ForShare: until the end of the transaction no other
// transaction deletes the record, and others may share the lock. ForUpdate: in addition no other
// transaction changes the record or gets it ForUpdate. LockExclusive: in addition no other
// transaction refers to it. A store may lock more, never less. A method without a suffix locks
// nothing unless its comment says so.
package ports
