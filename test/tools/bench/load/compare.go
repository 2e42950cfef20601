package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// row is a row of the table.
type row struct {
	operation
	bare, ours outcome // medians of the rounds; if the operation has own, bare is the result for own
	ratio      float64 // median of the ratios of all rounds
}

// compare measures each operation on both servers alternately. The server that goes first changes
// in each round.
func (r *report) compare(d driver, s *school, ours, bare *process) error {
	for _, op := range operations(s) {
		if !strings.HasPrefix(op.name, r.options.only) {
			continue
		}
		one, err := r.turns(d, op, s, ours, bare)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%-36s %8.0f %8.0f  %.2f\n", one.name, one.bare.rate, one.ours.rate, one.ratio)
		r.rows = append(r.rows, one)
	}
	return nil
}

func (r *report) turns(d driver, op operation, s *school, ours, bare *process) (row, error) {
	one := row{operation: op}
	var here, there []outcome
	var next uint64
	turn := func(p *process, to *[]outcome) error {
		got, n, err := d.drive(op, s.samples, p, next)
		next = n
		*to = append(*to, got)
		return err
	}
	// The first round is not counted, because it prepares statements and fills caches.
	warm := d
	warm.duration /= 4
	for _, p := range []*process{ours, bare} {
		if op.own != "" && p == bare {
			continue
		}
		_, n, err := warm.drive(op, s.samples, p, next)
		if err != nil {
			return one, err
		}
		next = n
	}
	for i := range r.options.rounds {
		order := []func() error{func() error { return turn(bare, &there) }, func() error { return turn(ours, &here) }}
		if op.own != "" {
			order = order[1:]
		}
		if i%2 == 1 {
			slices.Reverse(order)
		}
		for _, f := range order {
			if err := f(); err != nil {
				return one, err
			}
		}
	}
	one.ours = medianOutcome(here)
	if op.own != "" {
		i := slices.IndexFunc(r.rows, func(before row) bool { return before.name == op.own })
		if i < 0 {
			return one, fmt.Errorf("%s: %s was not measured", op.name, op.own)
		}
		one.bare = r.rows[i].ours
		one.ratio = one.ours.rate / one.bare.rate
		return one, nil
	}
	one.bare = medianOutcome(there)
	ratios := make([]float64, len(here))
	for i := range ratios {
		ratios[i] = here[i].rate / there[i].rate
	}
	slices.Sort(ratios)
	one.ratio = ratios[len(ratios)/2]
	return one, nil
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

// compareHotCourse compares clients that enroll different people in a single course with clients
// that enroll them in different courses.
func (r *report) compareHotCourse(d driver, s *school, ours *process) error {
	into := func(course func(n uint64) string) operation {
		return operation{
			method: "POST", status: 204,
			target: func(s samples, n uint64) string {
				return "/v2/people/" + cycle(s.people, number(n)) + "/relationships/courses"
			},
			body: func(_ samples, n uint64) string { return enrolled(course(number(n))) },
		}
	}
	spread := into(func(n uint64) string { return cycle(s.courses, n*7919+1) })
	one := into(func(uint64) string { return s.courses[0] })
	spread.name, one.name = "enroll in different courses", "enroll in one course"
	if !strings.HasPrefix(one.name, r.options.only) {
		return nil
	}
	var apart, together []outcome
	var n uint64
	for range r.options.rounds {
		for _, op := range []struct {
			operation
			to *[]outcome
		}{{spread, &apart}, {one, &together}} {
			got, next, err := d.drive(op.operation, s.samples, ours, n)
			if err != nil {
				return err
			}
			n, *op.to = next, append(*op.to, got)
		}
	}
	one.own, one.goal = spread.name, 0.7
	line := row{operation: one, bare: medianOutcome(apart), ours: medianOutcome(together)}
	line.ratio = line.ours.rate / line.bare.rate
	fmt.Fprintf(os.Stderr, "%-36s %8.0f %8.0f  %.2f\n", line.name, line.bare.rate, line.ours.rate, line.ratio)
	r.rows = append(r.rows, line)
	return nil
}

// number maps the request numbers of 64 connections to consecutive numbers without duplicates.
func number(n uint64) uint64 { return n&(1<<counterBits-1)*64 + n>>counterBits }
