package faults

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// lease is longer than any lease of a job and longer than the delay of the first retry.
const lease = 4 * time.Minute

// queues contains the kinds of jobs by their names on the command line.
var queues = []string{"invitations", "files", "bulk", "removals"}

// job is a line of the list of jobs.
type job struct {
	queue, state string
	due          bool // its run time has passed
}

// waitForJobs waits until all jobs are done, but at most for limit. It adds a violation for each
// job that is not done in time.
func (w *world) waitForJobs(ctx context.Context, c *caller, s *school, h History, limit time.Duration) {
	end := time.Now().Add(limit)
	for _, queue := range queues {
		for {
			output, err := w.command(ctx, "jobs", "list", "--kind", queue)
			jobs := parseJobs(queue, output, s.id, time.Now())
			late := err != nil || time.Now().After(end)
			bad := checkJobs(jobs, limit, late)
			if len(bad) == 0 {
				break
			}
			if late {
				c.tally.violate(bad...)
				break
			}
			_ = wait(ctx, 200*time.Millisecond) // the next command reports the end of ctx
		}
	}
	for i := range h {
		if h[i].Job != "" {
			c.checkBulkJob(ctx, &h[i], limit)
		}
	}
}

// parseJobs parses the output of the command and returns the jobs of a school.
func parseJobs(queue, output, school string, now time.Time) []job {
	var jobs []job
	for line := range strings.Lines(output) {
		if cells := strings.Fields(line); len(cells) > 4 && cells[1] == school {
			next, err := time.Parse(time.RFC3339, cells[4])
			jobs = append(jobs, job{queue, cells[2], err != nil || next.Before(now)})
		}
	}
	return jobs
}

// checkJobs returns a violation for each job, because completed jobs are deleted. It ignores the
// jobs that check a submission's file a day later. If late is true and limit is less than lease, it
// also ignores leased and rescheduled jobs, because the test then does not wait for the leases of
// killed servers.
func checkJobs(jobs []job, limit time.Duration, late bool) []Violation {
	var bad []Violation
	for _, j := range jobs {
		patient := late && limit < lease && (j.state == "leased" || !j.due)
		if j.state != "dead" && (patient || j.queue == "files" && !j.due) {
			continue
		}
		bad = append(bad, Violation{Unfinished, fmt.Sprintf("%+v", j)})
	}
	return bad
}

// checkBulkJob checks the result of a bulk job. If the job is incomplete and limit is less than
// lease, the outcome of e becomes Pending instead.
func (c *caller) checkBulkJob(ctx context.Context, e *Entry, limit time.Duration) {
	var d struct{ Data resource }
	if err := c.get(ctx, "/v1/bulk/jobs/"+e.Job, &d); err != nil {
		c.tally.violate(Violation{Lost, err.Error()})
		return
	}
	if d.Data.attribute("status") != "completed" && limit < lease {
		e.Outcome = Pending
		return
	}
	c.tally.violate(checkBulk(e.Job, d.Data)...)
}

// checkBulk checks the result of a bulk job without invalid rows.
func checkBulk(id string, r resource) []Violation {
	if r.attribute("status") == "completed" && r.attribute("rows_failed") == "0" && r.attribute("rows_done") == r.attribute("rows_total") {
		return nil
	}
	return []Violation{{Unfinished, fmt.Sprintf("bulk request %s: %v", id, r.Attributes)}}
}
