// Package derived computes the derived data of a school from its source records: after a bulk load,
// during which no trigger runs, and in a reconciliation. derivations lists all derived values.
package derived
