package files

import (
	"bytes"
	"context"
	"io"
	"sync"

	"lyceum/domain/fault"
	"lyceum/ports"
)

// Memory keeps files as long as the process runs.
type Memory struct {
	mu    sync.RWMutex
	files map[string][]byte // bytes that are never changed
}

var _ ports.Files = (*Memory)(nil)

// NewMemory returns a Memory without files.
func NewMemory() *Memory { return &Memory{files: map[string][]byte{}} }

// Put keeps the bytes of r under name.
func (m *Memory) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	data, err := io.ReadAll(&obedient{ctx: ctx, Reader: r})
	if err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name] = data
	return int64(len(data)), nil
}

// Ready implements ports.Files.
func (m *Memory) Ready(ctx context.Context) error { return ctx.Err() }

// Open returns the file as it is now, whatever becomes of it.
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
		return nil, fault.Missing()
	}
	return closable{bytes.NewReader(data)}, nil
}

// Remove forgets the file.
func (m *Memory) Remove(ctx context.Context, name string) error {
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

// closable is a reader with nothing to close.
type closable struct{ *bytes.Reader }

// Close does nothing.
func (closable) Close() error { return nil }
