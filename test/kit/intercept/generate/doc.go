// Package generate contains only a test. The test writes the wrappers of package intercept, and
// fails if they differ from the wrappers that the ports require. It is in a separate package, which
// builds even if the wrappers are incomplete.
package generate
