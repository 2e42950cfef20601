package limits

import "lyceum/adapters/limiter"

// Class is the admission class of a request. Requests of one class have about the same cost. Each
// class has its own slots.
type Class int

// The admission classes.
const (
	Cheap     Class = iota
	Expensive       // a search, or a bulk request
	Large           // a response with very many records
	Long            // a change of very many records
	Export          // an export of a whole school
	Upload          // the submission of a file
)

// Of returns the limiter of a class.
func (l Lanes) Of(c Class) *limiter.Limiter {
	switch c {
	case Expensive:
		return l.Expensive
	case Large:
		return l.Large
	case Long:
		return l.Long
	case Export:
		return l.Exports
	case Upload:
		return l.Uploads
	}
	return l.Cheap
}
