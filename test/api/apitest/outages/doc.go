// Package outages sends every request of the API to a server on a store that records the calls of
// the request and can make one of them fail. It checks that a failed request saves nothing, that
// transactions lock records in the order of docs/locks.md, and that writes add audit events.
package outages
