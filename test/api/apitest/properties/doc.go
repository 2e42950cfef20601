// Package properties tests the properties that a school defines: their definitions and values,
// filters and orders of lists by them, and bulk requests with them.
package properties
