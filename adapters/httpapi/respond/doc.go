// Package respond writes responses: documents, errors and their headers. It has the state of a
// request and the attributes of its route, on which every response depends. Start at Responder.Fail
// and Responder.Write.
package respond
