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
	List  outboxListCmd  `cmd:"" help:"List the letters that are not delivered, oldest first."`
	Retry outboxRetryCmd `cmd:"" help:"Let letters be delivered at once, as if they had never been tried."`
}

type outboxListCmd struct {
	State string `placeholder:"STATE" help:"Only letters that are waiting, leased (being delivered) or dead (given up)."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lists the letters.
func (c *outboxListCmd) Run(ctx context.Context, t terminal) error {
	var states []job.State
	if c.State != "" {
		state, ok := job.ParseState(c.State)
		if !ok {
			return fmt.Errorf("outbox list: state %q is not one of waiting, leased, dead", c.State)
		}
		states = append(states, state)
	}
	return c.Settings.operate(ctx, "outbox list", func(a *app.App) error {
		letters, err := a.Outbox.List(ctx, states...)
		if err != nil {
			return err
		}
		return table(t.out, "ID\tSCHOOL\tSTATE\tATTEMPTS\tNEXT\tCREATED\tLAST ERROR", letters, func(j job.Job) string {
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
	AllDead bool   `help:"All letters that were given up, instead of one."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run lets the letters be tried again.
func (c *outboxRetryCmd) Run(ctx context.Context, t terminal) error {
	if (c.ID == "") == !c.AllDead {
		return errors.New("outbox retry: needs either the id of a letter or --all-dead")
	}
	id, err := uuid.Parse(c.ID)
	if err != nil && !c.AllDead {
		return fmt.Errorf("outbox retry: %q is not the id of a letter (lyceum outbox list shows them)", c.ID)
	}
	return c.Settings.operate(ctx, "outbox retry", func(a *app.App) error {
		if c.AllDead {
			return retryDead(ctx, t, a)
		}
		err := a.Outbox.Retry(ctx, job.ID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("outbox retry: there is no letter %s, or it is being delivered", id)
		}
		if err == nil {
			_, err = fmt.Fprintf(t.err, "Letter %s is to be delivered again.\n", id)
		}
		return err
	})
}

func retryDead(ctx context.Context, t terminal, a *app.App) error {
	dead, err := a.Outbox.List(ctx, job.Dead)
	if err != nil {
		return err
	}
	revived := 0
	for _, j := range dead {
		err := a.Outbox.Retry(ctx, j.ID)
		if fault.Is(err, fault.NotFound) {
			continue // somebody else has revived it
		}
		if err != nil {
			return err
		}
		revived++
	}
	_, err = fmt.Fprintf(t.err, "%d letters are to be delivered again.\n", revived)
	return err
}
