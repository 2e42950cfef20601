// Package erasure has a test alone: after a person was deleted, nothing of
// them is left in the store, in the files and in what can be asked again.
package erasure
