package faults

import "syscall"

// endWithParent returns attributes that make the kernel end the program when this process ends for
// any reason.
func endWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
