// Package generate has a test alone: it writes the wrappers of the package
// intercept, and fails while they are not what the ports require. It is apart
// because it must also build while they are incomplete.
package generate
