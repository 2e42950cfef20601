package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/domain/fault"
	"lyceum/domain/job"
)

type jobsCmd struct {
	List  jobsListCmd  `cmd:"" help:"List unfinished jobs, oldest first."`
	Retry jobsRetryCmd `cmd:"" help:"Retry jobs now, with a fresh count of attempts."`
}

// jobKinds is the kinds of jobs by their names on the command line.
var jobKinds = map[string]func(*jobs.Jobs) *jobs.Jobs{
	"letters": (*jobs.Jobs).Invitations, "files": (*jobs.Jobs).Files, "bulk": (*jobs.Jobs).Bulk,
	"removals": (*jobs.Jobs).Removals,
}

// checkJobKind returns an error if of is not a kind of job.
func checkJobKind(command, of string) error {
	if _, ok := jobKinds[of]; !ok {
		return fmt.Errorf("%s: work must be one of: letters, files, bulk, removals; got %q", command, of)
	}
	return nil
}

type jobsListCmd struct {
	State string `placeholder:"STATE" help:"Only jobs in this state: waiting, leased (running) or dead (failed permanently)."`
	Of    string `placeholder:"WORK" default:"letters" help:"Kind of jobs: letters (invitation emails), files (cleanup), bulk (parts of bulk requests) or removals (of courses)."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lists jobs.
func (c *jobsListCmd) Run(ctx context.Context, t terminal) error {
	if err := checkJobKind("outbox list", c.Of); err != nil {
		return err
	}
	var states []job.State
	if c.State != "" {
		state, ok := job.ParseState(c.State)
		if !ok {
			return fmt.Errorf("outbox list: state must be one of: waiting, leased, dead; got %q", c.State)
		}
		states = append(states, state)
	}
	return c.Settings.withApp(ctx, "outbox list", func(a *app.App) error {
		waiting, err := jobKinds[c.Of](a.Jobs).List(ctx, states...)
		if err != nil {
			return err
		}
		return table(t.out, "ID\tSCHOOL\tSTATE\tATTEMPTS\tNEXT\tCREATED\tLAST ERROR", waiting, func(j job.Job) string {
			next := &j.RunAt
			if j.State == job.Dead {
				next = nil
			}
			return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s\t%s",
				j.ID, j.School, j.State, j.Attempts, formatTime(next), formatTime(&j.CreatedAt), cell(j.LastError))
		})
	})
}

// cell returns text as one cell of a table, a dash if it is blank.
func cell(text string) string {
	if text == "" {
		return "-"
	}
	return strings.Join(strings.Fields(text), " ")
}

type jobsRetryCmd struct {
	ID      string `arg:"" optional:"" help:"ID of the job (see: lyceum outbox list)."`
	AllDead bool   `help:"Retry all dead jobs instead of a single one."`
	Of      string `placeholder:"WORK" default:"letters" help:"Kind of jobs: letters (invitation emails), files (cleanup), bulk or removals. Dead parts of bulk requests cannot be retried."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run retries jobs.
func (c *jobsRetryCmd) Run(ctx context.Context, t terminal) error {
	if err := checkJobKind("outbox retry", c.Of); err != nil {
		return err
	}
	if (c.ID == "") == !c.AllDead {
		return errors.New("outbox retry: needs either the id of a letter or --all-dead")
	}
	id, err := uuid.Parse(c.ID)
	if err != nil && !c.AllDead {
		return fmt.Errorf("outbox retry: %q is not the id of a letter (lyceum outbox list shows them)", c.ID)
	}
	one, many, done := "letter", "letters", "delivered"
	if c.Of != "letters" {
		one, many, done = "job", "jobs", "done"
	}
	return c.Settings.withApp(ctx, "outbox retry", func(a *app.App) error {
		outbox := jobKinds[c.Of](a.Jobs)
		if c.AllDead {
			revived, err := retryAllDead(ctx, outbox)
			if err == nil {
				_, err = fmt.Fprintf(t.err, "%d %s are to be %s again.\n", revived, many, done)
			}
			return err
		}
		err := outbox.Retry(ctx, job.ID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("outbox retry: there is no %s %s, or it is being %s", one, id, done)
		}
		if err == nil {
			_, err = fmt.Fprintf(t.err, "%s %s is to be %s again.\n", strings.ToUpper(one[:1])+one[1:], id, done)
		}
		return err
	})
}

// retryAllDead retries all dead jobs of a kind and returns their number.
func retryAllDead(ctx context.Context, kind *jobs.Jobs) (int, error) {
	dead, err := kind.List(ctx, job.Dead)
	if err != nil {
		return 0, err
	}
	revived := 0
	for _, j := range dead {
		err := kind.Retry(ctx, j.ID)
		if fault.Is(err, fault.NotFound) {
			continue // another operator has retried it
		}
		if err != nil {
			return revived, err
		}
		revived++
	}
	return revived, nil
}
