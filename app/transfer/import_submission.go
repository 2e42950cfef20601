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

func (m *importer) importSubmission(ctx context.Context, l *format.Submission) error {
	bytes := &chunkReader{m: m, remaining: []byte(l.Text)}
	var errSize error
	if l.Text != "" {
		if l.Size != 0 && l.Size != int64(len(l.Text)) {
			errSize = fault.Invalidf("size", "is %d, but text has %d bytes", l.Size, len(l.Text))
		}
		l.Size = int64(len(l.Text))
	}
	w, err := m.findAttemptWork(l.Course, l.Person, l.Attempt, l.Activity, l.ActivityNth)
	file, errFile := submission.NewFile(l.Name, l.MediaType, l.Size)
	if err == nil && w.activity.Content.Kind != activity.Assignment {
		err = fault.Invalidf("activity", "is not an assignment")
	}
	err = fault.Join(err, errFile, errSize)
	id := submission.ID{UUID: m.id(l.Kind, l.ID)}
	fresh := err == nil && !w.attempt.existing
	if fresh && l.Size > m.freeBytes {
		err, fresh = m.deps.NoRoomForFile("size"), false
	}
	if fresh && m.load != nil && !l.Missing && len(m.faults) == 0 {
		name := usecase.FileOf(m.actor.School(), id)
		m.storedFiles = append(m.storedFiles, name)
		if _, err := m.files.Put(ctx, name, bytes); err != nil {
			return err
		}
	}
	if _, errRead := io.Copy(io.Discard, bytes); errRead != nil { // the remaining bytes
		return errRead
	}
	switch {
	case err != nil:
		return err
	case l.Missing && bytes.n > 0:
		return fault.Invalidf("lost", "is true, but file data follows")
	case !l.Missing && bytes.n != l.Size:
		return fault.Invalidf("size", "is %d, but %d bytes of file data follow", l.Size, bytes.n)
	case !fresh:
		return m.countUnchanged(l.Kind, nil)
	}
	m.freeBytes -= l.Size
	m.batch.Submissions = append(m.batch.Submissions,
		submission.New(id, w.in, w.activity, file, l.CreatedAt.Or(m.now)))
	m.created(l.Kind, 1)
	return nil
}

// A chunkReader reads the bytes of the chunks that follow a submission.
type chunkReader struct {
	m         *importer
	remaining []byte
	n         int64 // bytes read
}

// Read implements io.Reader. It returns io.EOF at the first line that is not a chunk.
func (p *chunkReader) Read(b []byte) (int, error) {
	for len(p.remaining) == 0 {
		line, err := p.m.peek()
		if err != nil {
			return 0, err
		}
		part, ok := line.Record.(*format.Chunk)
		if !ok {
			return 0, io.EOF
		}
		at := p.m.line
		if _, err := p.m.next(); err != nil {
			return 0, err
		}
		p.remaining, p.m.line = part.Data, at // faults of chunks are reported at the submission's line
	}
	n := copy(b, p.remaining)
	p.remaining, p.n = p.remaining[n:], p.n+int64(n)
	return n, nil
}
