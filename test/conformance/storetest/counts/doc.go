// Package counts tests that counts and other derived values are correct after any order of changes,
// also of concurrent ones, and that ports.Reconciler corrects them.
package counts
