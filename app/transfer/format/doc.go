// Package format is the file format of a school, JSON lines: it defines the records and reads and
// writes them. Package transfer implements the import and the export.
//
// Each line is an object with a kind. The first line is the school, the last one the end. A line
// refers to other records by their names, not their IDs, and comes after them. docs/transfer.md
// describes every kind and field. Start with Reader and Writer.
package format
