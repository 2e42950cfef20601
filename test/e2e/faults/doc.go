// Package faults proves that faults do no harm, in the manner of Jepsen: real
// server processes over a real database, clients that write all the time, a fault
// in the middle, and a check of everything afterwards.
//
// A round has a school of its own. Each client does one write after the other and
// repeats it, with the same Idempotency-Key and at the servers in turn, until the
// answer is certain. The history has each write with its outcome and with the facts
// that it adds and removes (history.go). After the round the suite waits for the
// jobs, walks all lists to their ends (found.go), runs the command that reconciles
// derived data, and compares (check.go):
//
//   - each fact of an acknowledged write is there as often as it was written, and
//     none that no acknowledged write has made: nothing is lost, doubled, half done;
//   - counts and progress are what follows from the facts;
//   - readers of the event feed have seen each event once, in order;
//   - bulk jobs, emails and file cleanup are done;
//   - no answer was 500 or a 503 without Retry-After, no request took longer than
//     31 seconds, none stayed uncertain two minutes after the fault.
//
// A repeat of an acknowledged request must get the first answer again. The seed
// decides what each client does; what happens at the same time it cannot.
//
// Start reading in fault_list.go and round.go. `make test-faults` runs it.
package faults
