package transfer

import (
	"context"
	"errors"
	"io"

	"lyceum/app/transfer/format"
	"lyceum/domain/attempt"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// attemptBatch is the number of attempts whose progress is recalculated at once.
const attemptBatch = 1000

// importBatch is the number of records that are sent to the store at once.
const importBatch = 5000

// importFile imports every line of the file, or returns ImportErrors.
func (m *importer) importFile(ctx context.Context) error {
	file, err := m.Open()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // the file was only read, so the error does not matter
	if err := m.readQuotas(ctx); err != nil {
		return err
	}
	if err := m.lockProperties(ctx); err != nil {
		return err
	}
	m.source = format.NewReader(file)
	if err := m.importLines(ctx); err != nil {
		return err
	}
	if err := m.applyStructureChanges(ctx); err != nil {
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
	if m.progressChanged {
		return m.recalculateProgress(ctx)
	}
	return nil
}

// importLines imports lines up to the end of the file or maxImportFaults faulty lines.
func (m *importer) importLines(ctx context.Context) error {
	ended := false
	for len(m.faults) < maxImportFaults {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := m.next()
		if errors.Is(err, io.EOF) {
			if !ended {
				m.refuse(m.line+1, "", fault.Invalidf("", "the file is truncated: it does not end with the %s record", format.EndKind))
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case ended:
			err = fault.Invalidf("", "must not follow the %s record, which ends the file", format.EndKind)
		case m.lines == 1:
			_, err = schoolRecord(line)
		case line.Err != nil:
			err = line.Err
		case line.Kind == format.EndKind:
			ended = true
			if n := line.Record.(*format.End).Lines; n != 0 && n != m.lines-1 {
				err = fault.Invalidf("lines", "must be %d, the number of lines before the end record, not %d", m.lines-1, n)
			}
		default:
			err = m.handleRecord(ctx, line)
		}
		if errors.Is(err, policy.NoEffect) {
			err = m.countUnchanged(line.Kind, nil)
		}
		if err != nil && !fault.IsRefusal(err) {
			return atLine(line.Number, line.Kind, err)
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

func (m *importer) refuse(line int, kind string, err error) {
	m.faults = append(m.faults, LineError{line, kind, err})
}

func (m *importer) next() (format.Line, error) {
	line, err := m.peek()
	if err != nil {
		return line, err
	}
	m.peeked, m.line = nil, line.Number
	m.lines++
	if m.Progress != nil && m.lines%1000 == 0 {
		m.Progress(int(m.lines), m.load != nil)
	}
	return line, nil
}

// peek returns the next line without advancing.
func (m *importer) peek() (format.Line, error) {
	if m.peeked == nil {
		line, err := m.source.Next()
		if err != nil {
			return line, err
		}
		m.peeked = &line
	}
	return *m.peeked, nil
}

func (m *importer) count(kind string) *ImportCount {
	c := m.counts[kind]
	if c == nil {
		c = &ImportCount{Kind: kind}
		m.counts[kind] = c
	}
	return c
}

// created counts a new record of a kind, which takes the given number of rows in the store.
func (m *importer) created(kind string, rows int) {
	m.count(kind).Created++
	if m.load != nil {
		m.rows += rows
	}
}

func (m *importer) flush(ctx context.Context) error {
	if m.load == nil || len(m.faults) > 0 {
		m.batch, m.rows = ports.Batch{}, 0
		return nil
	}
	err := m.load.Add(ctx, m.batch)
	m.batch, m.rows = ports.Batch{}, 0
	return err
}

// recalculateProgress recalculates the progress of every course attempt: each new activity of a
// course changes the progress of its attempts.
func (m *importer) recalculateProgress(ctx context.Context) error {
	tx := m.load.Tx()
	var after attempt.ID
	for {
		checks, err := tx.Reconciler.AttemptsForUpdate(ctx, after, attemptBatch)
		if err != nil {
			return err
		}
		for _, a := range checks {
			after = a.Attempt.State().ID
			if wrong := a.Reconcile(); len(wrong) > 0 {
				if err := tx.Attempts.Save(ctx, a.Attempt); err != nil {
					return err
				}
			}
		}
		if len(checks) < attemptBatch {
			return nil
		}
	}
}
