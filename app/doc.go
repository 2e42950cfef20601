// Package app implements the use cases of Lyceum. The file of a resource, such as courses.go, has its
// use cases; parts of larger ones have files and packages of their own.
//
// A use case receives an Actor, which identifies the school. It reads records through ports,
// applies the rules of the domain, and saves the result, all in one transaction. Package app does
// not depend on a transport or a store, starts no goroutines, and contains no rules: those are in
// domain. Start with App.
package app
