// Package cluster tests two servers on a cluster of three PostgreSQL nodes, with the configuration
// files in docs/deploy/cluster: Patroni and etcd on each node, and HAProxy, PgBouncer and the
// servers next to the test. Each node has a network namespace of its own, so that it can be cut
// off. In each round the clients of package faults write while the primary is killed, frozen or cut
// off, and all data is checked afterwards.
//
// The test needs root, and network, mount and process namespaces of its own: start it with
// `make test-cluster`.
package cluster
