package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"lyceum/domain/fault"
	"lyceum/ports"
)

// memorySize is the maximum number of bytes of the files of a server in memory.
const memorySize = 1 << 30

// Memory stores files in the memory of the process. The files of a folder, which belong to one
// school, use at most half of the bytes that those of other folders leave, so that one school cannot
// use up the memory.
type Memory struct {
	size int64 // maximum number of bytes of all files

	mu    sync.RWMutex      // guards the fields below
	files map[string]pieces // by name
	used  map[string]int64  // bytes of the files of each folder
	total int64             // bytes of all files
}

var _ ports.Files = (*Memory)(nil)

// NewMemory returns an empty Memory for the files of a server.
func NewMemory() *Memory { return NewMemoryOf(memorySize) }

// NewMemoryOf returns an empty Memory whose files use at most size bytes.
func NewMemoryOf(size int64) *Memory {
	return &Memory{size: size, files: map[string]pieces{}, used: map[string]int64{}}
}

// room returns how many bytes the files of the folder may use more.
func (m *Memory) room(folder string) int64 {
	return (m.size-(m.total-m.used[folder]))/2 - m.used[folder]
}

// set stores data under name, or deletes the file if data is nil.
func (m *Memory) set(name string, data *pieces) {
	folder, change := path.Dir(name), -m.files[name].size
	delete(m.files, name)
	if data != nil {
		m.files[name] = *data
		change += data.size
	}
	m.total += change
	if m.used[folder] += change; m.used[folder] == 0 {
		delete(m.used, folder)
	}
}

// errShare means that a folder has used up its share of the memory.
var errShare = errors.Join(fault.Fullf("There is not enough storage space for files"),
	fmt.Errorf("the school uses half of the memory for files; set files.dir"))

// Put implements ports.Files.
func (m *Memory) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	m.mu.RLock()
	room := m.room(path.Dir(name)) + m.files[name].size
	m.mu.RUnlock()
	data, err := readPieces(io.LimitReader(&ctxReader{ctx: ctx, Reader: r}, max(0, room)+1))
	if err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if data.size > m.room(path.Dir(name))+m.files[name].size { // also if other files were stored since
		return 0, errShare
	}
	m.set(name, &data)
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
	m.set(name, nil)
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
			m.set(n, nil)
		}
	}
	return ctx.Err()
}

// DeleteIncomplete implements ports.Files. The bytes of an incomplete file end with its process.
func (m *Memory) DeleteIncomplete(ctx context.Context) error { return ctx.Err() }

// closable is a reader whose Close does nothing.
type closable struct{ *io.SectionReader }

func (closable) Close() error { return nil }
