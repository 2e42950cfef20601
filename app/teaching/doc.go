// Package teaching contains the use cases of the teaching app: the use cases of package app, for
// the staff of a school. Each method checks what the role of the person permits, and calls one or
// more other use cases. The actor of a person of the staff is refused by all use cases that are not
// called from here. Start at Teaching.Enter.
package teaching
