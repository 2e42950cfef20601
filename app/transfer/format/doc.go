// Package format is a whole school as lines of text, to be taken from one store
// to another: what stands in a line, and how lines are read and written. What the
// lines mean to a school is the affair of package app.
//
// A file is lines of JSON, each of them an object with a kind. The first is the
// school, the last the end. A line refers to another by what people know it by,
// never by an id, and stands behind all that it refers to. docs/transfer.md tells
// every kind and every member.
package format
