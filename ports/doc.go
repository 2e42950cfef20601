// Package ports is what the use cases need from the outside: interfaces only.
//
// Every promise of a port is a sentence in its comments, and every sentence is
// tested by the conformance suite (test/conformance/storetest), which each adapter runs.
// These promises hold for all ports:
//
//   - An error that a client may be told is a fault (package fault); any other
//     error is an outage or a defect.
//   - What goes in and what comes out are copies: a change of either is seen by
//     nobody else.
//   - A cancelled context ends an operation with an error that errors.Is
//     context.Canceled or context.DeadlineExceeded, and changes nothing.
//   - Every method may be called by many goroutines at once; a Tx belongs to the
//     function that got it, and to one goroutine.
//   - Texts, instants and identifiers come back as they went in: instants in
//     UTC, whole milliseconds.
package ports
