//go:build unix && !linux

package faults

import "syscall"

// tied returns nil. On this system, a program continues if this process is killed.
func tied() *syscall.SysProcAttr { return nil }
