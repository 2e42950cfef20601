package transfer

import (
	"context"
	"io"

	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/submission"
)

func (m *importing) submission(ctx context.Context, l *format.Submission) error {
	bytes := &parts{m: m, left: []byte(l.Text)}
	var errSize error
	if l.Text != "" {
		if l.Size != 0 && l.Size != int64(len(l.Text)) {
			errSize = fault.Invalidf("size", "is %d, but the text has %d bytes", l.Size, len(l.Text))
		}
		l.Size = int64(len(l.Text))
	}
	w, err := m.work(l.Course, l.Person, l.Attempt, l.Activity, l.ActivityNth)
	file, errFile := submission.NewFile(l.Name, l.MediaType, l.Size)
	if err == nil && w.activity.Content.Kind != activity.Assignment {
		err = fault.Invalidf("activity", "is not an assignment")
	}
	err = fault.Join(err, errFile, errSize)
	id := submission.ID{UUID: m.id(l.Kind, l.ID)}
	fresh := err == nil && !w.run.old
	if fresh && l.Size > m.freeBytes {
		err, fresh = m.deps.NoRoomForFile("size"), false
	}
	if fresh && m.load != nil && !l.Lost && len(m.faults) == 0 {
		m.put = append(m.put, usecase.FileOf(id))
		if _, err := m.files.Put(ctx, usecase.FileOf(id), bytes); err != nil {
			return err
		}
	}
	if _, errRead := io.Copy(io.Discard, bytes); errRead != nil { // what is left, or all that nobody wants
		return errRead
	}
	switch {
	case err != nil:
		return err
	case l.Lost && bytes.n > 0:
		return fault.Invalidf("lost", "is true, but bytes follow")
	case !l.Lost && bytes.n != l.Size:
		return fault.Invalidf("size", "is %d, but %d bytes follow", l.Size, bytes.n)
	case !fresh:
		return m.known(l.Kind, nil)
	}
	m.freeBytes -= l.Size
	m.batch.Submissions = append(m.batch.Submissions,
		submission.HandIn(id, w.in, w.activity, file, l.CreatedAt.Or(m.now)))
	m.created(l.Kind, 1)
	return nil
}

// parts reads the bytes of the parts that come next.
type parts struct {
	m    *importing
	left []byte
	n    int64 // so far
}

// Read reads on until a line is no part.
func (p *parts) Read(b []byte) (int, error) {
	for len(p.left) == 0 {
		line, err := p.m.peek()
		if err != nil {
			return 0, err
		}
		part, ok := line.Record.(*format.Part)
		if !ok {
			return 0, io.EOF
		}
		at := p.m.line
		if _, err := p.m.next(); err != nil {
			return 0, err
		}
		p.left, p.m.line = part.Data, at // what is wrong is told of the submission
	}
	n := copy(b, p.left)
	p.left, p.n = p.left[n:], p.n+int64(n)
	return n, nil
}
