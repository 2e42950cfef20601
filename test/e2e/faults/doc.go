// Package faults tests that faults of processes, networks and the database lose no data, in the
// manner of Jepsen: real server processes on a real database, clients that write continuously, a
// fault in the middle, and a complete check afterwards.
//
// A round has its own school. Each client makes one write after another. It retries a write with
// the same Idempotency-Key, on the servers in turn, until the response is certain. The history has
// each write with its outcome and with the rows that it adds and removes (history.go). After the
// round the suite waits for the jobs, reads all lists to their ends (found.go), runs the command
// that reconciles derived data, and compares (check.go):
//
//   - each row of an acknowledged write exists as often as it was written, and no
//     row exists that no acknowledged write added: nothing is lost, doubled or partial;
//   - counts and progress match their source records;
//   - readers of the event feed have seen each event once, in order;
//   - bulk jobs, emails and file cleanup are done;
//   - no response was 500 or a 503 without Retry-After, no request took longer than
//     31 seconds, and every request was certain two minutes after the fault.
//
// A retry of an acknowledged request must get the recorded response. The seed determines what each
// client does, but not the order in which concurrent requests run.
//
// Start reading in fault_list.go and round.go. `make test-faults` runs it.
package faults
