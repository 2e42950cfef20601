package httpapi

import (
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/fault"
)

// try does what a request asks for. If its document is known to be wrong, do runs as a
// dry run instead, so that the client learns of all faults at once: those of the
// document, those of the rules, and conflicts with other records.
func try[T any](known []error, a app.Actor, do func(a app.Actor) (T, error)) (T, error) {
	if len(known) == 0 {
		return do(a)
	}
	var none T
	_, found := do(a.DryRun())
	return none, request.JoinFaults(fault.Join(known...), found)
}

// tryBatch is try for a batch. The faults of do are at the rows of the documents.
func tryBatch[T any](b request.Batch, a app.Actor, do func(a app.Actor) (T, error)) (T, error) {
	return try(b.Faults(), a, func(a app.Actor) (T, error) {
		done, err := do(a)
		if !b.Many {
			const alone = -1
			err = fault.AtRow(err, alone)
		}
		return done, err
	})
}
