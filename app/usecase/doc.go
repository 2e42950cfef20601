// Package usecase contains what all use cases share: the Actor, the ports, transactions, and
// look-ups of referenced records. It does not depend on any resource. Start with Deps.InTx.
package usecase
