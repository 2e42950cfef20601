package files

import (
	"context"
	"io"
	"strings"
	"sync"

	"lyceum/domain/fault"
	"lyceum/ports"
)

// Memory stores files in the memory of the process.
type Memory struct {
	mu    sync.RWMutex
	files map[string]pieces // by name
}

var _ ports.Files = (*Memory)(nil)

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{files: map[string]pieces{}} }

// Put implements ports.Files.
func (m *Memory) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	data, err := readPieces(&ctxReader{ctx: ctx, Reader: r})
	if err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name] = data
	return data.size, nil
}

// Ready implements ports.Files.
func (m *Memory) Ready(ctx context.Context) error { return ctx.Err() }

// Open implements ports.Files. The opened file stays readable after Delete or Put.
func (m *Memory) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	data, ok := m.files[name]
	if !ok {
		return nil, fault.RecordNotFound()
	}
	return closable{io.NewSectionReader(data, 0, data.size)}, nil
}

// Delete implements ports.Files.
func (m *Memory) Delete(ctx context.Context, name string) error {
	if err := check(name); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, name)
	return nil
}

// DeleteFolder implements ports.Files.
func (m *Memory) DeleteFolder(ctx context.Context, name string) error {
	if err := check(name); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for n := range m.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if strings.HasPrefix(n, name+"/") {
			delete(m.files, n)
		}
	}
	return ctx.Err()
}

// DeleteIncomplete implements ports.Files. The bytes of an incomplete file end with its process.
func (m *Memory) DeleteIncomplete(ctx context.Context) error { return ctx.Err() }

// closable is a reader whose Close does nothing.
type closable struct{ *io.SectionReader }

func (closable) Close() error { return nil }
