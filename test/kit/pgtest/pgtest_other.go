//go:build unix && !linux

package pgtest

import "syscall"

// attributes returns the attributes of a process that runs as who. On this system the process
// outlives a kill of this one.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who}
}
