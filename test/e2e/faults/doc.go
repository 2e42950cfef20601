// Package faults tests that no data is lost when processes, networks or the database fail. It works
// like the Jepsen tests. It runs real server processes on a real database and clients that write
// continuously, causes a fault, and checks all data afterwards.
//
// A round has its own school. Each client makes one write after another. It retries a write with
// the same Idempotency-Key, on the servers in turn, until the response is certain. The history
// contains each write with its outcome and the rows that it adds and removes (history.go). After
// the round, the suite waits for the jobs, reads all lists to their ends (found.go), and runs the
// command that reconciles derived data. Then it checks (check.go) that:
//
//   - each row of an acknowledged write exists as often as it was written, and there
//     are no other rows: nothing is lost, doubled or partial;
//   - counts and progress match their source records;
//   - readers of the event feed have seen each event once, in order;
//   - bulk jobs, emails and file cleanup are done;
//   - no response was 500 or a 503 without Retry-After, no request took longer than
//     31 seconds, and every request had a certain response within two minutes after the fault.
//
// A retry of an acknowledged request must get the recorded response. The seed determines the
// requests of each client, but not the order in which concurrent requests run.
//
// Start with fault_list.go and round.go. `make test-faults` runs it.
package faults
