package usecase

import (
	"bytes"
	"iter"
	"slices"

	"github.com/google/uuid"
)

// InLockOrder returns ids in ascending order, without duplicates. Transactions that lock several
// records of one type lock them in this order, so that they do not deadlock.
func InLockOrder[ID interface {
	comparable
	~struct{ uuid.UUID }
}](ids iter.Seq[ID]) []ID {
	type plain = struct{ uuid.UUID }
	sorted := slices.SortedFunc(ids, func(a, b ID) int {
		one, other := plain(a).UUID, plain(b).UUID
		return bytes.Compare(one[:], other[:])
	})
	return slices.Compact(sorted)
}
