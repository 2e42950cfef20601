package query

// Limits of one list request.
const (
	MaxDepth      = 6    // combinators before an attribute
	MaxConditions = 50   // conditions of a filter; a list of values counts once
	MaxValues     = 1000 // values of a filter
	MaxWords      = 20   // different words of a search
	MaxSort       = 50   // attributes of a sort; no list has as many

	maxNumber   = 64  // characters of a number
	maxExponent = 300 // of a number, in both directions
	maxNamed    = 10  // unknown attributes in the text of a fault
)
