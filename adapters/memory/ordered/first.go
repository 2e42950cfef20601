package ordered

import "iter"

// First returns the first rows of a sequence, at most limit.
func First[R any](rows iter.Seq[R], limit int) []R {
	var first []R
	for r := range rows {
		if len(first) == limit {
			break
		}
		first = append(first, r)
	}
	return first
}
