package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"lyceum/test/tools/bench/program"
)

// A pair is the two servers that are compared. Both have the same value of GOGC.
type pair struct {
	gogc       string
	ours, bare *program.Process
}

// A result compares two servers, or two operations of the server. The first is called bare.
type result struct {
	bare, ours outcome // medians of the rounds
	ratio      float64 // median of the ratios of the rates
	work       float64 // median of the ratios of the processor times of a request, of bare to ours
}

// row is a row of the table.
type row struct {
	operation
	at     []result // by value of GOGC, in the order of options.gogc
	spread float64  // difference of the largest and the smallest at[0].ratio of the runs
}

// result returns the result for the first value of GOGC.
func (r row) result() result { return r.at[0] }

// compare measures each operation on both servers of each pair alternately. The server that goes
// first changes in each round.
func (r *report) compare(d driver, s *school, pairs []pair) error {
	for _, op := range operations(s) {
		if !r.options.selects(op.name) {
			continue
		}
		line := row{operation: op}
		for _, p := range pairs {
			one, err := r.turns(d, op, s, p)
			if err != nil {
				return err
			}
			if op.own != "" {
				before, err := r.find(op.own)
				if err != nil {
					return err
				}
				one = against(before.at[len(line.at)].ours, one.ours)
			}
			line.at = append(line.at, one)
		}
		r.add(line)
	}
	return nil
}

// add adds a row, and prints it, so that a person can watch the progress.
func (r *report) add(line row) {
	fmt.Fprintf(os.Stderr, "%-36s", line.name)
	for _, one := range line.at {
		fmt.Fprintf(os.Stderr, " %8.0f %8.0f  %.2f (processor %.2f)", one.bare.rate, one.ours.rate, one.ratio, one.work)
	}
	fmt.Fprintln(os.Stderr)
	r.rows = append(r.rows, line)
}

func (r *report) find(name string) (row, error) {
	i := slices.IndexFunc(r.rows, func(before row) bool { return before.name == name })
	if i < 0 {
		return row{}, fmt.Errorf("%s was not measured", name)
	}
	return r.rows[i], nil
}

// turns measures an operation on both servers of a pair, or on the server alone if the operation is
// compared with another operation.
func (r *report) turns(d driver, op operation, s *school, p pair) (result, error) {
	outcomes := map[*program.Process][]outcome{}
	turn := func(d driver, on *program.Process) error {
		got, n, err := d.drive(op, s.samples, on, r.sent)
		r.sent = n
		outcomes[on] = append(outcomes[on], got)
		return err
	}
	order := []*program.Process{p.bare, p.ours}
	if op.own != "" {
		order = order[1:]
	}
	// The first round is not counted, because it prepares statements and fills caches.
	warm := d
	warm.duration /= 4
	for i := range r.options.rounds + 1 {
		driven := d
		if i == 0 {
			driven = warm
		}
		for _, on := range order {
			if err := turn(driven, on); err != nil {
				return result{}, err
			}
		}
		slices.Reverse(order)
	}
	here, there := outcomes[p.ours][1:], outcomes[p.ours][1:]
	if op.own == "" {
		there = outcomes[p.bare][1:]
	}
	var ratios, work []float64
	for i := range here {
		ratios, work = append(ratios, here[i].rate/there[i].rate), append(work, there[i].cost/here[i].cost)
	}
	return result{medianOutcome(there), medianOutcome(here), middle(ratios), middle(work)}, nil
}

// against returns the result of ours compared with before, an outcome of another operation or
// store.
func against(before, ours outcome) result {
	return result{before, ours, ours.rate / before.rate, before.cost / ours.cost}
}

// middle returns the median of values, which it sorts.
func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// medianOutcome returns the outcome with the median rate.
func medianOutcome(all []outcome) outcome {
	all = slices.SortedFunc(slices.Values(all), func(a, b outcome) int {
		if a.rate < b.rate {
			return -1
		}
		return 1
	})
	return all[len(all)/2]
}

// selects reports whether the operation with the given name is measured.
func (o options) selects(name string) bool {
	return slices.ContainsFunc(strings.Split(o.only, ","), func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
