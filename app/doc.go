// Package app is the use cases of Lyceum, one file for each resource.
//
// A use case gets an Actor, which names the school. It reads records through ports, lets the domain
// decide, and saves the result, all in one transaction. Package app knows neither transport nor
// store, starts no goroutine, and has no rules: those are in domain. Start with App.
package app
