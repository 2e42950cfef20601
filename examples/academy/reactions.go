package main

import (
	"context"
	"log/slog"
	"lyceum/app/reactions"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// newPeople contains the types of the records that the reaction frontDesk gets.
var newPeople = []string{person.Type}

// announce writes a line for the front desk to the log.
func announce(_ context.Context, line string) error {
	slog.Info(line)
	return nil
}

// frontDesk returns a reaction that tells the front desk the name of each new person. If tell returns
// an error, the server repeats the call later.
func frontDesk(tell func(ctx context.Context, line string) error) reactions.Func {
	return func(ctx context.Context, n reactions.Notification) error {
		if n.Change.Action != change.Created {
			return nil
		}
		id, _ := text.UUID(n.Change.Record.ID)
		p, err := n.Read.People.Get(ctx, person.ID{UUID: id})
		if fault.Is(err, fault.NotFound) {
			return nil // the person was deleted since
		}
		if err != nil {
			return err
		}
		return tell(ctx, p.FullName()+" is new")
	}
}
