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
	"lyceum/domain/property"
	"lyceum/ports"
)

// ExportPeople writes the people of the actor's school to w as CSV, each with the groups of which
// they are a member, and with all properties that are defined for people. The rows are sorted by the
// unique key of the email address.
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
				cells[i] = escapeFormula(cell)
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

// formulaGuard is written before a cell that a spreadsheet would evaluate as a formula, and before
// a cell that starts with the guard itself, so that unescapeFormula is the inverse of
// escapeFormula.
const formulaGuard = "'"

// formula matches where a spreadsheet starts to evaluate: at the start of a cell, and after a
// semicolon, which separates cells in locales with a decimal comma. Full-width characters count
// like the ASCII ones.
var (
	formula        = regexp.MustCompile(`(^|;[ "]*)(` + formulaGuard + `*[=+\-@＝＋－＠\t\r])`)
	guardedFormula = regexp.MustCompile(`(^|;[ "]*)` + formulaGuard + `(` + formulaGuard + `*[=+\-@＝＋－＠\t\r])`)
)

// escapeFormula inserts formulaGuard before each formula in a cell.
func escapeFormula(cell string) string {
	return formula.ReplaceAllString(cell, "${1}"+formulaGuard+"${2}")
}

// unescapeFormula is the inverse of escapeFormula.
func unescapeFormula(cell string) string { return guardedFormula.ReplaceAllString(cell, "${1}${2}") }
