// Package listquery parses the query parameters of a list and estimates the cost of the list. It
// handles only the syntax; package query defines the meaning of filters and sorts. Start at Parse.
package listquery
