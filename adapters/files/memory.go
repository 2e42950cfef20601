package files

import (
	"context"
	"errors"
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

// room returns how many bytes a file with the given name may have, whether or not there is one.
func (m *Memory) room(name string) int64 {
	used := m.used[path.Dir(name)]
	return (m.size-(m.total-used))/2 - (used - m.files[name].size)
}

// remove deletes the file with the given name, if there is one.
func (m *Memory) remove(name string) {
	m.count(name, -m.files[name].size)
	delete(m.files, name)
}

// count adds n bytes to those of the folder of a file.
func (m *Memory) count(name string, n int64) {
	folder := path.Dir(name)
	m.total += n
	if m.used[folder] += n; m.used[folder] == 0 {
		delete(m.used, folder)
	}
}

// errShare means that a folder has used up its share of the memory.
var errShare = noSpace(errors.New("the school uses half of the memory for files; set files.dir"))

// Put implements ports.Files.
func (m *Memory) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	m.mu.RLock()
	room := m.room(name)
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
	if data.size > m.room(name) { // also if other files were stored since
		return 0, errShare
	}
	m.remove(name)
	m.files[name] = data
	m.count(name, data.size)
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
	m.remove(name)
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
			m.remove(n)
		}
	}
	return ctx.Err()
}

// DeleteIncomplete implements ports.Files. The bytes of an incomplete file end with its process.
func (m *Memory) DeleteIncomplete(ctx context.Context) error { return ctx.Err() }

// closable is a reader whose Close does nothing.
type closable struct{ *io.SectionReader }

func (closable) Close() error { return nil }
