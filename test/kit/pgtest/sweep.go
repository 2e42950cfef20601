//go:build unix

package pgtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// prefix is the prefix of the names of the temporary directories of this package.
const prefix = "lyceum-pgtest-"

// sweep deletes directories that remain because their test binaries were killed or panicked. It
// does not delete recent directories, because their servers may be starting.
func sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*")) // the pattern is well-formed
	inMemory, _ := filepath.Glob(filepath.Join(memoryDir(), prefix+"*"))
	for _, dir := range append(dirs, inMemory...) {
		info, err := os.Stat(dir)
		if err == nil && time.Since(info.ModTime()) > 10*time.Minute && !running(dir) {
			_ = os.RemoveAll(dir) // fails for directories of other users, which remain
		}
	}
}

// running reports whether the server of the cluster in dir is alive. The first line of
// postmaster.pid contains its process id.
func running(dir string) bool {
	content, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		return false
	}
	line, _, _ := bytes.Cut(content, []byte("\n"))
	pid, err := strconv.Atoi(string(line))
	return err == nil && syscall.Kill(pid, 0) != syscall.ESRCH
}
