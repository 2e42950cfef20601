package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/audit"
	"lyceum/domain/query"
)

type auditCmd struct {
	List   auditListCmd   `cmd:"" help:"Print the audit trail of a school as JSON lines, oldest event first."`
	Expire auditExpireCmd `cmd:"" help:"Delete expired audit events of all schools. Needed only if the database role of the server has no right to delete them."`
}

type auditListCmd struct {
	School string `required:"" placeholder:"ID|NAME" help:"School whose audit trail is printed."`

	Settings storeSettings `embed:"" group:"store"`
}

// Run prints the audit trail.
func (c *auditListCmd) Run(ctx context.Context, t terminal) error {
	return c.Settings.withApp(ctx, t, "audit list", func(a *app.App) error {
		s, err := a.Provision.School(ctx, c.School)
		if err != nil {
			return err
		}
		return printTrail(ctx, a, app.SystemActor(s.State().ID), t.out)
	})
}

func printTrail(ctx context.Context, a *app.App, as app.Actor, out io.Writer) error {
	q := query.Query{Sort: []query.Order{{Attr: audit.Schema.Attr("uuid")}}, Page: query.NewPage(1, query.MaxLimit)}
	lines := json.NewEncoder(out)
	for {
		page, err := a.Audit.List(ctx, as, q)
		if err != nil {
			return err
		}
		for _, e := range page.Items {
			if err := lines.Encode(lineOf(e)); err != nil {
				return err
			}
		}
		if !page.More {
			return nil
		}
		next := audit.Schema.Edge(q.Sort, page.Items[len(page.Items)-1], false)
		q.Cursor = &next
	}
}

// auditLine is an audit event in the output of lyceum audit list.
type auditLine struct {
	ID         int64  `json:"id"`
	OccurredAt string `json:"occurred_at"`
	Action     string `json:"action"`
	RecordType string `json:"record_type"`
	RecordID   string `json:"record_id"`
	ActorType  string `json:"actor_type"`
	ActorID    string `json:"actor_id,omitzero"`
	PersonID   string `json:"person_id,omitzero"`
	RequestID  string `json:"request_id,omitzero"`
	Address    string `json:"address,omitzero"`
}

func lineOf(e audit.Event) auditLine {
	return auditLine{
		ID: e.Position, OccurredAt: e.At.Format("2006-01-02T15:04:05.000Z"), Action: string(e.Action),
		RecordType: e.Record.Type, RecordID: e.Record.ID, ActorType: e.Type.String(), ActorID: orBlank(e.Actor.ID),
		PersonID: orBlank(e.Person.UUID), RequestID: e.Request, Address: e.Address,
	}
}

// orBlank returns the text of an ID; blank for zero.
func orBlank[ID interface {
	comparable
	fmt.Stringer
}](id ID) string {
	var zero ID
	if id == zero {
		return ""
	}
	return id.String()
}

type auditExpireCmd struct {
	Audit   auditSettings  `embed:"" prefix:"audit." group:"store"`
	Changes changeSettings `embed:"" prefix:"changes." group:"store"`

	Settings storeSettings `embed:"" group:"store"`
}

func (c *auditExpireCmd) interrupted() string { return "some of the events may have been deleted" }

// Run deletes expired events.
func (c *auditExpireCmd) Run(ctx context.Context, t terminal) error {
	cfg := server.Defaults()
	var r settingsParser
	r.countOrNone("changes.retention-days", c.Changes.RetentionDays, &cfg.ChangeDays)
	r.countOrNone("audit.retention-days", c.Audit.RetentionDays, &cfg.AuditDays)
	if err := r.with(cfg); err != nil {
		return err
	}
	return c.Settings.withApp(ctx, t, "audit expire", func(a *app.App) error {
		a.Audit.KeepFor(server.AuditRetention(cfg.AuditDays, cfg.ChangeDays))
		for more := true; more; {
			var err error
			if more, err = a.Audit.Sweep(ctx); err != nil {
				return fmt.Errorf("audit expire: %w", err)
			}
		}
		return nil
	})
}
