// Package bench measures the hot paths of the server on both stores: what one
// request costs from the handler down, without the network. Its figures are for
// comparison within one run; `make bench` prints them with their allocations.
package bench
