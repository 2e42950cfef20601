package pgtest

import "syscall"

// attributes returns the attributes of a process that runs as who and is killed when this process
// ends.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who, Pdeathsig: syscall.SIGQUIT}
}
