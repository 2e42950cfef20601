//go:build unix && !linux

package pgtest

import "syscall"

// attributes returns the attributes of a process that runs as the given user. On this system the
// process continues if this process is killed.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who}
}
