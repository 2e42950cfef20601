package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/app/reactions"
	"lyceum/app/webhooks"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/signin"
)

type jobsCmd struct {
	List  jobsListCmd  `cmd:"" help:"List the unfinished jobs of one kind, oldest first."`
	Retry jobsRetryCmd `cmd:"" help:"Retry one job, or all dead jobs of one kind, now. Attempts are counted from 0 again."`
}

// jobKinds contains the kinds by their names on the command line, in the order of the help.
var jobKinds = []struct {
	name string
	kind job.Kind
}{
	{"invitations", invitation.Kind},
	{"files", jobs.FileCleanupKind},
	{"bulk", bulk.JobKind},
	{"removals", jobs.CourseRemovalKind},
	{"sign-ins", signin.Kind},
	{"stranger-sign-ins", signin.StrangerKind},
	{"webhooks", webhooks.Kind},
}

// jobKind is the kind in a flag: a name in jobKinds, or the kind of the jobs of a reaction.
type jobKind string

// Validate implements an interface of kong.
func (k jobKind) Validate() error {
	_, err := k.kind()
	return err
}

func (k jobKind) kind() (job.Kind, error) {
	var names []string
	for _, known := range jobKinds {
		if known.name == string(k) {
			return known.kind, nil
		}
		names = append(names, known.name)
	}
	if name, ok := strings.CutPrefix(string(k), reactions.KindPrefix); ok && name != "" {
		return job.Kind(k), nil
	}
	return "", fmt.Errorf("must be %s, or %sNAME; got %q", strings.Join(names, ", "), reactions.KindPrefix, string(k))
}

type jobsListCmd struct {
	State string  `placeholder:"STATE" help:"List only jobs in this state: waiting, leased (running) or dead (failed permanently)."`
	Kind  jobKind `default:"invitations" placeholder:"KIND" help:"Kind of job: invitations (emails), files (file cleanup), bulk (parts of bulk requests), removals (deleted courses), sign-ins (emails with sign-in links), stranger-sign-ins (the same to addresses of no person), webhooks (messages to endpoints), or reaction:NAME (calls of a reaction of this program)."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lists unfinished jobs.
func (c *jobsListCmd) Run(ctx context.Context, t terminal) error {
	var states []job.State
	if c.State != "" {
		state, ok := job.ParseState(c.State)
		if !ok {
			return fmt.Errorf("jobs list --state: must be one of: waiting, leased, dead; got %q", c.State)
		}
		states = append(states, state)
	}
	return c.Settings.withApp(ctx, t, "jobs list", func(a *app.App) error {
		kind, err := c.Kind.kind()
		if err != nil {
			return err
		}
		waiting, err := a.Jobs.List(ctx, kind, states...)
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

// cell returns text as one line, or a dash if it is blank.
func cell(text string) string {
	if text == "" {
		return "-"
	}
	return strings.Join(strings.Fields(text), " ")
}

type jobsRetryCmd struct {
	ID      string  `arg:"" optional:"" help:"ID of the job to retry, as shown by ${program} jobs list."`
	AllDead bool    `help:"Retry all dead jobs of the kind. Cannot be combined with an ID."`
	Kind    jobKind `default:"invitations" placeholder:"KIND" help:"Kind of job: invitations (emails), files (file cleanup), bulk (parts of bulk requests), removals (deleted courses), sign-ins (emails with sign-in links), stranger-sign-ins (the same to addresses of no person), webhooks (messages to endpoints), or reaction:NAME (calls of a reaction of this program). Retrying a dead bulk job has no effect on its rows: they have already been reported as failed."`

	Settings storeSettings `embed:"" group:"store"`
}

func (c *jobsRetryCmd) interrupted() string { return "some of the jobs may have been rescheduled" }

// Run retries one job, or all dead jobs of a kind.
func (c *jobsRetryCmd) Run(ctx context.Context, t terminal) error {
	if (c.ID == "") == !c.AllDead {
		return errors.New("jobs retry: give either the ID of a job or --all-dead")
	}
	id, err := uuid.Parse(c.ID)
	if err != nil && !c.AllDead {
		return fmt.Errorf("jobs retry: %q is not a job ID; to list jobs: %s jobs list", c.ID, t.program)
	}
	return c.Settings.withApp(ctx, t, "jobs retry", func(a *app.App) error {
		kind, err := c.Kind.kind()
		if err != nil {
			return err
		}
		if c.AllDead {
			retried, err := retryAllDead(ctx, a.Jobs, kind)
			if err == nil {
				_, err = fmt.Fprintf(t.err, "%d jobs will be retried.\n", retried)
			}
			return err
		}
		err = a.Jobs.Retry(ctx, kind, job.ID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("jobs retry: job %s of the kind %s does not exist or is running", id, c.Kind)
		}
		if err == nil {
			_, err = fmt.Fprintf(t.err, "Job %s will be retried.\n", id)
		}
		return err
	})
}

// retryAllDead retries all dead jobs of a kind and returns their number.
func retryAllDead(ctx context.Context, all *jobs.Jobs, kind job.Kind) (int, error) {
	dead, err := all.List(ctx, kind, job.Dead)
	if err != nil {
		return 0, err
	}
	retried := 0
	for _, j := range dead {
		err := all.Retry(ctx, kind, j.ID)
		if fault.Is(err, fault.NotFound) {
			continue // another operator has retried it already
		}
		if err != nil {
			return retried, err
		}
		retried++
	}
	return retried, nil
}
