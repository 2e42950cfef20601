// Package format is the file format of a school: JSON lines. It defines the records, and reads and
// writes them. Package transfer gives them their meaning.
//
// Each line is an object with a kind. The first line is the school, the last one the end. A line
// names other records by what people call them, not by IDs, and comes after them. docs/transfer.md
// describes every kind and field. Start with Reader and Writer.
package format
