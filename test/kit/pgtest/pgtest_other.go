//go:build unix && !linux

package pgtest

import (
	"os"
	"syscall"
)

// attributes returns the attributes of a process that runs as the given user. On this system the
// process continues if this process is killed.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who}
}

// memoryDir returns the directory for temporary files, because this system has no known file system
// in memory.
func memoryDir() string { return os.TempDir() }
