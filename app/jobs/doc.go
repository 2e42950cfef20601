// Package jobs implements the background work of use cases (delivery of invitations and sign-in
// links, removal of the records of deleted courses, cleanup of files), the Handler that runs jobs
// of any kind, and the operator's view of the queue. It starts no goroutine; adapters/worker calls
// it. Start with Handler.RunNext.
package jobs
