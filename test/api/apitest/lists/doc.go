// Package lists tests what all lists have in common: pages, cursors, filters, parameters, included
// resources, sparse fieldsets and CSV.
package lists
