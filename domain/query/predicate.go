package query

import "slices"

// predicate is a predicate of the filter language and its operation.
type predicate struct {
	name string
	op   Op
	set  bool // whether repeated pairs without [] also form a list
}

var predicates = []predicate{
	{name: "eq", op: Eq},
	{name: "not_eq", op: NotEq},
	{name: "in", op: Eq, set: true},
	{name: "not_in", op: NotEq, set: true},
	{name: "cont", op: Cont},
	{name: "not_cont", op: NotCont},
	{name: "start", op: Start},
	{name: "end", op: End},
	{name: "lt", op: Lt},
	{name: "lteq", op: Lteq},
	{name: "gt", op: Gt},
	{name: "gteq", op: Gteq},
	{name: "null", op: Null},
}

var (
	identityPredicates = []string{"eq", "not_eq", "in", "not_in", "null"}
	booleanPredicates  = []string{"eq", "not_eq", "in", "null"}
	orderedPredicates  = []string{"eq", "not_eq", "in", "not_in", "lt", "lteq", "gt", "gteq", "null"}
)

// predicateNames returns the predicates that attributes of kind k support.
func predicateNames(k Kind) []string {
	switch k {
	case UUID, UUIDs, Token:
		return identityPredicates
	case Boolean:
		return booleanPredicates
	case Integer, Number, Date, Timestamp:
		return orderedPredicates
	}
	names := make([]string, len(predicates))
	for i, p := range predicates {
		names[i] = p.name
	}
	return names
}

// findPredicate returns the predicate with the given name for attributes of kind k; "" is the
// default predicate.
func findPredicate(k Kind, name string) (predicate, bool) {
	if name == "" {
		name = "eq"
		if k == Text {
			name = "cont"
		}
	}
	if !slices.Contains(predicateNames(k), name) {
		return predicate{}, false
	}
	i := slices.IndexFunc(predicates, func(p predicate) bool { return p.name == name })
	return predicates[i], true
}
