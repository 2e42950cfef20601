package faults

import "syscall"

// endWithParent returns how to start a program such that it ends with this process,
// however that ends.
func endWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
