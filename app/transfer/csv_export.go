package transfer

import (
	"context"
	"encoding/csv"
	"io"
	"regexp"
	"strconv"
	"strings"

	"lyceum/app/usecase"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
)

// peopleColumns is the columns of people as CSV.
var peopleColumns = []string{"email", "first_name", "last_name", "custom_avatar_url", "unsubscribed", "groups"}

// groupsColumn is the column that is a list: names of groups, itself written as a
// line of CSV, so that a name may hold a comma.
const groupsColumn = "groups"

// ExportPeople writes the people of the actor's school to w as CSV, with the
// groups of which they are members, by the text.Key of the e-mail address.
func (u *Transfers) ExportPeople(ctx context.Context, a usecase.Actor, w io.Writer) error {
	return u.deps.Store.Snapshot(ctx, a.School(), func(ctx context.Context, s ports.Snapshot) error {
		names, of := map[group.ID]string{}, map[person.ID][]string{}
		err := first(
			func() error { return s.Groups(ctx, func(g group.State) error { names[g.ID] = g.Name; return nil }) },
			func() error {
				return s.Memberships(ctx, func(m ports.Owned[membership.Membership]) error {
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
		if err := out.Write(peopleColumns); err != nil {
			return err
		}
		err = s.People(ctx, func(p person.State) error {
			avatar := ""
			if p.AvatarURL != nil {
				avatar = *p.AvatarURL
			}
			return out.Write([]string{
				guarded(p.Email), guarded(p.FirstName), guarded(p.LastName), guarded(avatar),
				strconv.FormatBool(p.Unsubscribed), guarded(line(of[p.ID])),
			})
		})
		out.Flush()
		if err == nil {
			err = out.Error()
		}
		return err
	})
}

// line writes names as a line of CSV, without its end.
func line(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(names) // a builder takes everything
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// guard is written before a cell that a spreadsheet would take for a formula. So
// that it can be taken off again, it is also written before a guard that the cell
// has by itself.
const guard = "'"

// formula finds where a spreadsheet would begin to compute instead of showing:
// at the beginning of a cell, and after a semicolon, which separates cells where
// the comma is the decimal separator. Full-width characters count like the others.
var (
	formula        = regexp.MustCompile(`(^|;[ "]*)(` + guard + `*[=+\-@＝＋－＠\t\r])`)
	guardedFormula = regexp.MustCompile(`(^|;[ "]*)` + guard + `(` + guard + `*[=+\-@＝＋－＠\t\r])`)
)

// guarded returns a cell as it is written.
func guarded(cell string) string { return formula.ReplaceAllString(cell, "${1}"+guard+"${2}") }

// unguarded returns the cell that guarded has written.
func unguarded(cell string) string { return guardedFormula.ReplaceAllString(cell, "${1}${2}") }
