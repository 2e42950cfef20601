// Package erasure tests that no trace of a deleted person remains in the store, in files or in
// recorded responses.
package erasure
