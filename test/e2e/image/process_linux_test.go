package image_test

import (
	"os"
	"syscall"
)

// group returns the attributes of a process that leads a group of its own.
func group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// interruptGroup interrupts a process and all that it has started.
func interruptGroup(leader int) { _ = syscall.Kill(-leader, syscall.SIGTERM) }

// ownedBy reports whether a user owns a file.
func ownedBy(info os.FileInfo, user uint32) bool { return info.Sys().(*syscall.Stat_t).Uid == user }
