package transfer

import (
	"context"
	"errors"
	"io"

	"lyceum/app/transfer/format"
	"lyceum/domain/attempt"
	"lyceum/domain/fault"
	"lyceum/ports"
)

// attemptBatch is how many attempts are brought up to date at a time.
const attemptBatch = 1000

// importBatch is how many records go to the store at once.
const importBatch = 5000

// file takes every line of the file, or returns all that is wrong with it.
func (m *importing) file(ctx context.Context) error {
	file, err := m.Open()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	if err := m.measure(ctx); err != nil {
		return err
	}
	m.source = format.NewReader(file)
	if err := m.everyLine(ctx); err != nil {
		return err
	}
	if err := m.settle(ctx); err != nil {
		return err
	}
	if len(m.faults) > 0 {
		return m.faults.sorted()
	}
	if m.load == nil {
		return nil
	}
	if err := m.flush(ctx); err != nil {
		return err
	}
	if err := m.countUses(ctx); err != nil {
		return err
	}
	if err := m.addInvitations(ctx); err != nil {
		return err
	}
	if m.grown {
		return m.remeasure(ctx)
	}
	return nil
}

// everyLine takes lines until the end, or until too many are wrong.
func (m *importing) everyLine(ctx context.Context) error {
	ended := false
	for len(m.faults) < importFaultsTold {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := m.next()
		if errors.Is(err, io.EOF) {
			if !ended {
				m.refuse(m.line+1, "", fault.Invalidf("", "the line of the kind %s is missing: the file is cut off", format.EndKind))
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case ended:
			err = fault.Invalidf("", "stands behind the line of the kind %s", format.EndKind)
		case m.lines == 1:
			_, err = headOf(line)
		case line.Wrong != nil:
			err = line.Wrong
		case line.Kind == format.EndKind:
			ended = true
			if n := line.Record.(*format.End).Lines; n != 0 && n != m.lines-1 {
				err = fault.Invalidf("lines", "is %d, but %d stand before it", n, m.lines-1)
			}
		default:
			err = m.take(ctx, line)
		}
		if err != nil && !fault.IsRefusal(err) {
			return err
		}
		if err != nil {
			m.refuse(line.Number, line.Kind, err)
		}
		if m.rows >= importBatch {
			if err := m.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *importing) refuse(line int, kind string, err error) {
	m.faults = append(m.faults, LineFault{line, kind, err})
}

// next returns the next line.
func (m *importing) next() (format.Line, error) {
	line, err := m.peek()
	if err != nil {
		return line, err
	}
	m.ahead, m.line = nil, line.Number
	m.lines++
	if m.Told != nil && m.lines%1000 == 0 {
		m.Told(int(m.lines), m.load != nil)
	}
	return line, nil
}

// peek returns the line that next will return.
func (m *importing) peek() (format.Line, error) {
	if m.ahead == nil {
		line, err := m.source.Next()
		if err != nil {
			return line, err
		}
		m.ahead = &line
	}
	return *m.ahead, nil
}

func (m *importing) count(kind string) *ImportedKind {
	c := m.counts[kind]
	if c == nil {
		c = &ImportedKind{Kind: kind}
		m.counts[kind] = c
	}
	return c
}

// created counts a new record of a kind, which weighs so many rows.
func (m *importing) created(kind string, rows int) {
	m.count(kind).Created++
	if m.load != nil {
		m.rows += rows
	}
}

// flush hands the batch over.
func (m *importing) flush(ctx context.Context) error {
	if m.load == nil || len(m.faults) > 0 {
		m.batch, m.rows = ports.Batch{}, 0
		return nil
	}
	err := m.load.Add(ctx, m.batch)
	m.batch, m.rows = ports.Batch{}, 0
	return err
}

// remeasure works out the progress of every course attempt anew: an activity more
// behind attempts changes that of all of them.
func (m *importing) remeasure(ctx context.Context) error {
	tx := m.load.Tx()
	var behind attempt.ID
	for {
		accounts, err := tx.Ledger.Attempts(ctx, behind, attemptBatch)
		if err != nil {
			return err
		}
		for _, a := range accounts {
			behind = a.Attempt.State().ID
			if wrong := a.Audit(); len(wrong) > 0 {
				if err := tx.Attempts.Save(ctx, a.Attempt); err != nil {
					return err
				}
			}
		}
		if len(accounts) < attemptBatch {
			return nil
		}
	}
}
