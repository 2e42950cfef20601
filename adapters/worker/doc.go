// Package worker does what waits in the queue: it calls a use case again and
// again, as long as there is work, and then waits until there is more.
package worker
