package query

// Limits of what a client may ask for in one request.
const (
	MaxDepth      = 6    // combinators in front of an attribute
	MaxConditions = 50   // conditions of a filter; a list of values is one
	MaxValues     = 1000 // values of a filter
	MaxWords      = 20   // different words of a search
	MaxSort       = 50   // attributes of a sort, more than any list has

	maxNumber   = 64  // characters of a number
	maxExponent = 300 // of a number, in both directions
	maxNamed    = 10  // unknown attributes that a fault names
)
