package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/job"
)

type outboxCmd struct {
	List  outboxListCmd  `cmd:"" help:"List the letters that are not delivered, or other work that is not done, oldest first."`
	Retry outboxRetryCmd `cmd:"" help:"Let letters be delivered, or other work be done, at once, as if it had never been tried."`
}

// outboxes is the kinds of work that wait, as the command line calls them.
var outboxes = map[string]func(*app.Outbox) *app.Outbox{
	"letters": (*app.Outbox).Letters, "files": (*app.Outbox).Files, "bulk": (*app.Outbox).Bulk,
	"removals": (*app.Outbox).Removals,
}

// checkOutbox says that a command was given a kind of work that there is not.
func checkOutbox(command, of string) error {
	if _, ok := outboxes[of]; !ok {
		return fmt.Errorf("%s: work %q is not one of letters, files, bulk, removals", command, of)
	}
	return nil
}

type outboxListCmd struct {
	State string `placeholder:"STATE" help:"Only what is waiting, leased (being done) or dead (given up)."`
	Of    string `placeholder:"WORK" default:"letters" help:"Which work: letters, files (to be removed), bulk (parts of bulk requests) or removals (of courses)."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lists the letters, or other work.
func (c *outboxListCmd) Run(ctx context.Context, t terminal) error {
	if err := checkOutbox("outbox list", c.Of); err != nil {
		return err
	}
	var states []job.State
	if c.State != "" {
		state, ok := job.ParseState(c.State)
		if !ok {
			return fmt.Errorf("outbox list: state %q is not one of waiting, leased, dead", c.State)
		}
		states = append(states, state)
	}
	return c.Settings.operate(ctx, "outbox list", func(a *app.App) error {
		waiting, err := outboxes[c.Of](a.Outbox).List(ctx, states...)
		if err != nil {
			return err
		}
		return table(t.out, "ID\tSCHOOL\tSTATE\tATTEMPTS\tNEXT\tCREATED\tLAST ERROR", waiting, func(j job.Job) string {
			next := &j.RunAt
			if j.State == job.Dead {
				next = nil
			}
			return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s\t%s",
				j.ID, j.School, j.State, j.Attempts, moment(next), moment(&j.CreatedAt), cell(j.LastError))
		})
	})
}

// cell returns a text of others as one cell of a list, a dash where there is
// none.
func cell(text string) string {
	if text == "" {
		return "-"
	}
	return strings.Join(strings.Fields(text), " ")
}

type outboxRetryCmd struct {
	ID      string `arg:"" optional:"" help:"Id of the letter, as outbox list shows it."`
	AllDead bool   `help:"All that was given up, instead of one letter."`
	Of      string `placeholder:"WORK" default:"letters" help:"Which work: letters, files (to be removed), bulk or removals; a part of a bulk request that was given up is over, and stays so."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lets the letters, or other work, be tried again.
func (c *outboxRetryCmd) Run(ctx context.Context, t terminal) error {
	if err := checkOutbox("outbox retry", c.Of); err != nil {
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
	return c.Settings.operate(ctx, "outbox retry", func(a *app.App) error {
		outbox := outboxes[c.Of](a.Outbox)
		if c.AllDead {
			revived, err := retryDead(ctx, outbox)
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

// retryDead revives all that is dead in an outbox and returns how much it was.
func retryDead(ctx context.Context, outbox *app.Outbox) (int, error) {
	dead, err := outbox.List(ctx, job.Dead)
	if err != nil {
		return 0, err
	}
	revived := 0
	for _, j := range dead {
		err := outbox.Retry(ctx, j.ID)
		if fault.Is(err, fault.NotFound) {
			continue // somebody else has revived it
		}
		if err != nil {
			return revived, err
		}
		revived++
	}
	return revived, nil
}
