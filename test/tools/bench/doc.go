// Package bench measures the hot paths of the server on both stores: the cost of a request in the
// handler and the layers below, without the network. Only results of the same run can be compared.
// `make bench` prints the results and the numbers of allocations.
package bench
