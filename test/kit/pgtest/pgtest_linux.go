package pgtest

import (
	"os"
	"syscall"
)

const (
	// sharedMemory is a file system in memory. On file systems with a journal, the many files of a
	// database that are created and deleted take a third of the time of the tests.
	sharedMemory = "/dev/shm"
	// neededMemory is more than the databases of all tests take at once.
	neededMemory = 4 << 30 // bytes
)

// attributes returns the attributes of a process that runs as the given user and that the kernel
// kills when this process ends.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who, Pdeathsig: syscall.SIGQUIT}
}

// memoryDir returns a directory in memory if there is enough space, or else the one for temporary
// files.
func memoryDir() string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(sharedMemory, &s); err != nil || s.Bavail*uint64(s.Bsize) < neededMemory {
		return os.TempDir()
	}
	return sharedMemory
}
