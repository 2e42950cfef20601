package main

// compareHotCourse compares clients that enroll different people in a single course with clients
// that enroll them in different courses.
func (r *report) compareHotCourse(d driver, s *school, pairs []pair) error {
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
	if !r.options.selects(one.name) {
		return nil
	}
	one.own, one.goal = spread.name, 0.7
	line := row{operation: one}
	for _, p := range pairs {
		var apart, together []outcome
		for range r.options.rounds {
			for _, op := range []struct {
				operation
				to *[]outcome
			}{{spread, &apart}, {one, &together}} {
				got, next, err := d.drive(op.operation, s.samples, p.ours, r.sent)
				if err != nil {
					return err
				}
				r.sent, *op.to = next, append(*op.to, got)
			}
		}
		line.at = append(line.at, against(medianOutcome(apart), medianOutcome(together)))
	}
	r.add(line)
	return nil
}

// number maps the request numbers of 64 connections to consecutive numbers without duplicates.
func number(n uint64) uint64 { return n&(1<<counterBits-1)*64 + n>>counterBits }
