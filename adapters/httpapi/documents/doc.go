// Package documents reads and builds the two documents whose attributes are nested: the structure
// of a course, and the rows of a bulk request.
package documents
