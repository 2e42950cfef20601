package transfer

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"lyceum/app/usecase"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/text"
	"lyceum/ports"
)

// ExportPeople writes the people of the actor's school to w as CSV, each with the groups of which
// they are a member, and with all properties that are defined for people. The rows are sorted by
// the unique key of the email address.
func (u *Transfers) ExportPeople(ctx context.Context, a usecase.Actor, w io.Writer) error {
	return u.deps.Store.Snapshot(ctx, a.School(), func(ctx context.Context, s ports.Snapshot) error {
		names, of := map[group.ID]string{}, map[person.ID][]string{}
		var defined []string // names of properties
		err := runSteps(
			func() error {
				return s.Properties(ctx, func(d property.State) error {
					if d.Resource == property.People {
						defined = append(defined, d.Name)
					}
					return nil
				})
			},
			func() error { return s.Groups(ctx, func(g group.State) error { names[g.ID] = g.Name; return nil }) },
			func() error {
				return s.Memberships(ctx, func(m ports.WithEmail[membership.Membership]) error {
					if m.Record.Role == membership.Member {
						of[m.Record.Person] = append(of[m.Record.Person], names[m.Record.Group])
					}
					return nil
				})
			},
		)
		if err != nil {
			return err
		}
		out := csv.NewWriter(w)
		if err := out.Write(columns(defined)); err != nil {
			return err
		}
		err = s.People(ctx, func(p person.State) error {
			avatar := ""
			if p.AvatarURL != nil {
				avatar = *p.AvatarURL
			}
			cells := []string{p.Email, p.FirstName, p.LastName, avatar, strconv.FormatBool(p.Unsubscribed), csvLine(of[p.ID])}
			for _, name := range defined {
				cells = append(cells, p.Properties.Get(name).String())
			}
			for i, cell := range cells {
				cells[i] = text.GuardFormula(cell)
			}
			return out.Write(cells)
		})
		out.Flush()
		if err == nil {
			err = out.Error()
		}
		return err
	})
}

// csvLine returns names as a line of CSV, without the line break.
func csvLine(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(names) // a strings.Builder returns no errors
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
