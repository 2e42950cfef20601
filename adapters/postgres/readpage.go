package postgres

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
)

// identity returns what tells the draft, followed by a reader, from all others,
// whatever the page.
func (d draft) identity(reader uuid.UUID) (id queryID) {
	h := sha256.New()
	_, _ = h.Write(reader[:])
	write := func(text string) {
		_, _ = fmt.Fprintf(h, "%d ", len(text))
		_, _ = io.WriteString(h, text)
	}
	write(d.table)
	write(d.where)
	write(orderBy(d.keys))
	for _, arg := range d.args[:d.values] {
		if v, ok := arg.(driver.Valuer); ok {
			arg, _ = v.Value()
		}
		write(fmt.Sprint(arg))
	}
	h.Sum(id[:0])
	return id
}

// firstRows is for how many rows there is room before the first is read: as many as
// most pages have, and one.
const firstRows = 26

// readPage returns the rows of a statement and, when it shows the sort keys,
// those of the last row of the page, or of the last row when these are fewer. With
// lead the first row stands before the page, and only its keys are returned.
func readPage[R any](
	ctx context.Context, c *session, text string, r *rendering, limit int, lead bool,
) (_ []R, before, end ending, err error) {
	rows, last := make([]R, 0, min(limit+1, firstRows)), []*keyText{}
	var row, blank R // each row is read into the one, then copied
	err = c.each(ctx, r.varied, text, r.args, func(found *sqlx.Rows) error {
		names, err := found.Columns()
		if err != nil {
			return err
		}
		fields := found.Mapper.TraversalsByName(reflect.TypeFor[R](), names)
		into := make([]any, len(names))
		for i, name := range names {
			switch {
			case strings.HasPrefix(name, placePrefix):
				last = append(last, &keyText{})
				into[i] = last[len(last)-1]
			case len(fields[i]) == 0:
				return fmt.Errorf("no place for the column %s", name)
			default:
				into[i] = reflectx.FieldByIndexes(reflect.ValueOf(&row).Elem(), fields[i]).Addr().Interface()
			}
		}
		for found.Next() {
			row = blank // not every null overwrites
			for _, k := range last {
				k.closed = len(rows) >= limit
			}
			if err := found.Scan(into...); err != nil {
				return err
			}
			if lead && before == nil {
				before = endingOf(last)
				continue
			}
			rows = append(rows, row)
		}
		return found.Err()
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return rows, before, endingOf(last), nil
}

func endingOf(keys []*keyText) ending {
	end := make(ending, len(keys))
	for i, k := range keys {
		end[i] = k.value()
	}
	return end
}

// keyText reads a sort key of one row after the other, and uses its memory again,
// until it is closed.
type keyText struct {
	text   []byte
	null   bool
	closed bool
}

// Scan reads a text or a null.
func (k *keyText) Scan(src any) error {
	if k.closed {
		return nil
	}
	k.null, k.text = false, k.text[:0]
	switch src := src.(type) {
	case nil:
		k.null = true
	case []byte:
		k.text = append(k.text, src...)
	case string:
		k.text = append(k.text, src...)
	default:
		return fmt.Errorf("a sort key comes as %T", src)
	}
	return nil
}

func (k *keyText) value() *string {
	if k.null {
		return nil
	}
	text := string(k.text)
	return &text
}
