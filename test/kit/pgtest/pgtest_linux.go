package pgtest

import "syscall"

// attributes returns the attributes of a process that runs as the given user and that the kernel
// kills when this process ends.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who, Pdeathsig: syscall.SIGQUIT}
}
