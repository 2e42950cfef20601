// Package respond answers requests: with documents, with errors and with the
// headers of both. It holds the state of a request on which every answer
// depends; start at respond.go and errors.go.
package respond
