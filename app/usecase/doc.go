// Package usecase contains what the use cases of package app and its subpackages share: the Actor,
// the ports, transactions, policies, and lookups of referenced records. Start with Deps.InTx.
package usecase
