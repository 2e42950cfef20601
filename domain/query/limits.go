package query

// Limits of a list request.
const (
	MaxDepth      = 6    // combinators before an attribute
	MaxConditions = 50   // conditions of a filter; a list of values counts once
	MaxValues     = 1000 // values of a filter
	MaxWords      = 20   // distinct words of a search
	MaxSort       = 50   // attributes of a sort; more than any list has

	maxNumber   = 64  // characters of a number
	maxExponent = 300 // absolute value of the exponent of a number
	maxNamed    = 10  // unknown attributes listed in a fault
)
