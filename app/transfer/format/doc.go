// Package format defines the file format of a school: its records, as JSON lines, and how to read
// and write them. Package transfer implements the import and the export.
//
// Each line is an object with a kind. The first line is the school, the last one the end. A line
// refers to other records by name, not by ID, and comes after the lines of these records.
// docs/transfer.md describes every kind and field. Start with Reader and Writer.
package format
