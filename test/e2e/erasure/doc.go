// Package erasure only has a test: after a person was deleted, no trace of the person is left in
// the store, in files or in recorded responses.
package erasure
