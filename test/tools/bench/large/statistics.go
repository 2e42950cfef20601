package main

import (
	"slices"
	"time"
)

// mean returns the means of the values.
func mean(all []outcome) outcome {
	var sum outcome
	n := len(all)
	for _, one := range all {
		sum.took += one.took / time.Duration(n)
		sum.response += one.response / time.Duration(n)
		sum.processor += one.processor / float64(n)
		sum.bytes, sum.lines = one.bytes, one.lines // each export is the same
	}
	return sum
}

func medianOf(runs []measurement, value func(measurement) float64) float64 {
	all := make([]float64, len(runs))
	for i, m := range runs {
		all[i] = value(m)
	}
	return median(all)
}

// median returns the median, or the larger of the two values in the middle.
func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// quantile returns a quantile of durations, or 0 if there are none. part is between 0 and 1.
func quantile(took []time.Duration, part float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
