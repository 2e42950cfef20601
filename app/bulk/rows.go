package bulk

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/text"
	"lyceum/ports"
)

// defineProperties locks and returns the definitions of the properties in all rows, for records of
// the resource r. Definitions are locked before groups and people.
func defineProperties(ctx context.Context, tx ports.Tx, r property.Resource, rows []bulk.Row) ([]property.State, error) {
	all := property.Changes{Sent: map[string]property.Raw{}}
	for _, row := range rows {
		maps.Copy(all.Sent, row.Properties)
	}
	err := usecase.DefineProperties(ctx, tx.Properties, r, &all)
	return all.Defined, err
}

// useAllowance records that a row changes a record with the given properties. A row of a few bytes can
// make the store save many kilobytes.
func (u *Bulk) useAllowance(a usecase.Actor, all property.Values) {
	u.deps.Additions.Use(a.School(), all.Size()/enrollment.RecordSize)
}

// targetRow is a row of a part with the records to which its targets refer.
type targetRow[ID comparable] struct {
	bulk.Row
	key string // unique key of the row's subject
	ids []ID   // one for each of the row's targets
}

// resolveTargets returns the rows whose targets idOf maps to records in existing. It refuses the
// other rows.
func resolveTargets[ID comparable, T any](
	kind bulk.Kind, rows []bulk.Row, idOf func(name string) ID, existing map[ID]T, refused map[int]error,
) []targetRow[ID] {
	var all []targetRow[ID]
	for _, r := range rows {
		row := targetRow[ID]{Row: r, key: text.UniqueKey(r.Subject)}
		var unknown []error
		for _, t := range r.Targets {
			id := idOf(t.Name)
			if _, ok := existing[id]; !ok {
				unknown = append(unknown, kind.Unknown(t.Field))
			}
			row.ids = append(row.ids, id)
		}
		if unknown != nil {
			refused[r.Number] = fault.Join(unknown...)
			continue
		}
		all = append(all, row)
	}
	return all
}

// withoutRefused returns the rows that are not refused.
func withoutRefused[ID comparable](all []targetRow[ID], refused map[int]error) []targetRow[ID] {
	return slices.DeleteFunc(slices.Clone(all), func(r targetRow[ID]) bool { return refused[r.Number] != nil })
}

// targetNames returns the names of the targets of all rows, without duplicates.
func targetNames(rows []bulk.Row) []string {
	seen := map[string]bool{}
	for _, r := range rows {
		for _, t := range r.Targets {
			seen[t.Name] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// atFields joins the refusals of a row, each with its field. It returns nil if there are none.
func atFields(fields []string, refused []error) error {
	errs := make([]error, len(refused))
	for i, err := range refused {
		errs[i] = fault.OnField(fields[i], err)
	}
	return fault.Join(errs...)
}
