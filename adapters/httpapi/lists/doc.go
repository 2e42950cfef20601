// Package lists responds with lists of records: pages with their links, selected fields and
// included resources, whole lists as CSV, and feeds whose clients wait for changes.
package lists
