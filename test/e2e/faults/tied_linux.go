package faults

import "syscall"

// tied returns how to start a program such that it ends with this process,
// however that ends.
func tied() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
