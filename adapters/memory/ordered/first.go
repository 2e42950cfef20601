package ordered

import "iter"

// First returns the first limit rows of a sequence, or all of them if there are fewer.
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
