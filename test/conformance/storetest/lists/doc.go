// Package lists tests the lists of ports.Reader: their rows, order, filters, pages and searches are
// compared with the evaluation by package query. Case is where to start reading.
package lists
