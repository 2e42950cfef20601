// Package golden compares responses with the golden files in testdata, which contain one example of
// each document.
package golden
