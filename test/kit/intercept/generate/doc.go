// Package generate contains only a test: it writes the wrappers of package intercept and fails if
// they differ from what the ports require. It is a package of its own because it must also build
// while the wrappers are incomplete.
package generate
