// Package generate contains only a test. It writes the wrappers of package intercept and fails if
// they differ from what the ports require. It is a separate package so that it builds even while
// the wrappers are incomplete.
package generate
