// Package storetest is the conformance suite of the ports: what a store must do
// to be one. Each adapter's test calls Run, and says no more.
//
// There is a file for each port, and in it a test for each sentence of the
// port's comments; further files hold what concerns all ports: transactions,
// locks, isolation of the schools, races, cancellation, and lists, which are
// compared with the plain evaluation of package query. Every test makes a
// school of its own, beside a neighbour full of similar rows, so that all of
// them can share one database.
//
// A new port needs: a file with its tests, a line in verbs.go or groupverbs.go
// for each method, and, when it lists, a case in listcases.go. Run fails while
// one is missing.
package storetest

import (
	"testing"

	"lyceum/ports"
)

// Backend is one store to be tested: the records of the schools, the schools
// themselves, and the queue of their jobs, kept in the same place.
type Backend struct {
	Store   ports.Store
	Schools ports.Schools
	Queue   ports.Queue
	// Serial says that the transactions of a school run one after the other.
	// Then each waits for all before it, which are short, and the promises on
	// who waits for whom follow.
	Serial bool

	neighbour tenant // of all tests of a part
}

// Run tests a store. open is called once for each part of the suite and may
// return the same store every time; it fails the test when it cannot, and cleans
// up by t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	t.Helper()
	parts := []struct {
		name string
		run  func(t *testing.T, b Backend)
	}{
		{"Complete", complete},
		{"Schools", schools},
		{"School", schoolReader},
		{"Categories", categories},
		{"Coupons", coupons},
		{"Courses", courses},
		{"People", people},
		{"Partnerships", partnerships},
		{"Enrollments", enrollments},
		{"Groups", groups},
		{"GroupCourses", groupCourses},
		{"Memberships", memberships},
		{"Bulk", bulkJobs},
		{"Lookups", lookups},
		{"NewPeople", newPeople},
		{"Jobs", jobs},
		{"Lease", lease},
		{"Settle", settle},
		{"Revive", revive},
		{"Wake", wake},
		{"Counts", counts},
		{"GroupCounts", groupCounts},
		{"Lists", lists},
		{"Differential", differential},
		{"Store", store},
		{"Transactions", transactions},
		{"Locks", locks},
		{"CouponLocks", couponLocks},
		{"GroupLocks", groupLocks},
		{"Isolation", isolation},
		{"Copies", copies},
		{"Fidelity", fidelity},
		{"Cancellation", cancellation},
		{"Races", races},
		{"GroupRaces", groupRaces},
		{"BulkRaces", bulkRaces},
	}
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			b := open(t)
			b.neighbour = newNeighbour(t, b)
			part.run(t, b)
		})
	}
}
