// Package tables contains the tables of a school that consist of more than records by ID: course
// attempts with their completions, quiz attempts with their answers and scores, roles, and webhook
// endpoints with their deliveries. A table and its records are immutable for readers; a writer
// changes a copy.
package tables
