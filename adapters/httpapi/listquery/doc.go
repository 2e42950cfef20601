// Package listquery reads the query parameters of a list and estimates what the list
// costs. It knows the syntax only; package query decides what a filter or a sort means.
// Start at Parse.
package listquery
