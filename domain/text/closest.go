package text

import "strings"

// Closest returns the known name that is closest to name, ignoring case. It is for hints about
// misspellings. It returns "" if the edit distance to every known name is three or more.
func Closest(name string, known []string) string {
	best, least := "", 3
	name = strings.ToLower(name)
	for _, k := range known {
		if d := distance(name, strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance returns the edit distance of a and b in bytes (Levenshtein, Soviet Physics Doklady 10,
// 1966), or a large number if a is much longer than b.
func distance(a, b string) int {
	if len(a) > 2*len(b)+3 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}
