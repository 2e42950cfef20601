// Package methods tests what the ports promise for all their methods: each school is isolated, a
// canceled call changes nothing, and a transaction is complete or without effect. portMethods has a
// call of each method of each port; Complete fails if a method is missing.
package methods
