package pgtest

import "syscall"

// attributes returns how to start a program as who, such that it ends with this
// process, however that ends.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who, Pdeathsig: syscall.SIGQUIT}
}
