// Package generate contains only a test. The test fails if wrappers.go of package intercept differs
// from the wrappers that the ports require; with the flag -update it writes wrappers.go instead.
// The test is in a separate package, which builds even if the wrappers are incomplete.
package generate
