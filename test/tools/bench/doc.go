// Package bench measures the hot paths of the server on both stores: the cost of a request in the
// handler and below, without the network. Compare only results of the same run. `make bench` prints
// the results with the numbers of allocations.
package bench
