package memory

import (
	"unique"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/query"
)

// mayBeOfKind returns a function that reports whether an event may satisfy where, by its kind alone, or
// nil if where does not depend on the kind. A school has millions of events of a few kinds, and the
// entry of an event takes much longer to compute. entry returns the entry of an event of a kind.
func mayBeOfKind(a *query.Attributes, where query.Expr, entry func(eventKind) query.Entry) func(row any) bool {
	conds := ordered.Implied(where, "action", "record.type", "record_type")
	if len(conds) == 0 {
		return nil
	}
	holds, known := a.Compile(conds), map[unique.Handle[eventKind]]bool{}
	return func(row any) bool {
		kind := row.(*auditEvent).kind
		may, ok := known[kind]
		if !ok {
			may = holds(entry(kind.Value()))
			known[kind] = may
		}
		return may
	}
}
