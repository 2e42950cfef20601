// Package bench measures the hot paths of the server on both stores: the cost of one request from
// the handler down, without the network. Compare only results of the same run; `make bench` prints
// them with their allocations.
package bench
