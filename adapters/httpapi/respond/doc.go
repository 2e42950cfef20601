// Package respond writes responses: documents, errors and their headers. It also defines the state
// of a request and the attributes of its route, on which responses depend. Start at Responder.Fail
// and Responder.Write.
package respond
