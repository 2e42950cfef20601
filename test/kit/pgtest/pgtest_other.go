//go:build unix && !linux

package pgtest

import "syscall"

// attributes returns how to start a program as who. Here it outlives this
// process if that is killed.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who}
}
